import { expect, test } from "vitest";
import { functionPool } from "../../lib/local/function-pool.js";
import { inProcessEnvironment } from "../../lib/local/lambda-environment.js";

function pool(concurrency: number) {
  let made = 0;
  const releases: (() => void)[] = [];
  const functions = functionPool(
    () => {
      const id = made++;
      return inProcessEnvironment(async () => {
        await new Promise<void>((resolve) => releases.push(resolve));
        return id;
      });
    },
    { concurrency },
  );
  return { functions, release: () => releases.shift()!() };
}

test("invocations one after another stay with one environment", async () => {
  const { functions, release } = pool(3);
  for (let i = 0; i < 3; i++) {
    const answer = functions.invoke({});
    release();
    expect(await answer).toBe(0);
  }
  expect(functions.environments).toHaveLength(1);
});

test("concurrent invocations get environments of their own, up to the limit, then TooManyRequests", async () => {
  const { functions, release } = pool(2);
  const first = functions.invoke({});
  const second = functions.invoke({});
  await expect(functions.invoke({})).rejects.toMatchObject({ name: "TooManyRequestsException" });
  release();
  expect(await first).toBe(0);
  const third = functions.invoke({});
  release();
  release();
  expect([await second, await third]).toEqual([1, 0]);
});
