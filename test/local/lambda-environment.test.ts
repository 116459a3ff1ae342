import type { Context } from "aws-lambda";
import { expect, expectTypeOf, test } from "vitest";
import type { LambdaContext } from "../../lib/local/lambda-context.js";
import { inProcessEnvironment } from "../../lib/local/lambda-environment.js";

test("the handler gets a copy of the event and a context like Lambda's", async () => {
  expectTypeOf<Omit<Context, "done" | "fail" | "succeed">>().toExtend<LambdaContext>();
  expectTypeOf<LambdaContext>().toExtend<Omit<Context, "done" | "fail" | "succeed">>();
  const sent = { a: 1, b: undefined };
  let now = 1000;
  const environment = inProcessEnvironment(
    async (event, context) => {
      now += 400;
      return {
        same: event === sent,
        keys: Object.keys(event as object),
        remaining: context.getRemainingTimeInMillis(),
      };
    },
    { timeoutMs: 3000, clock: { now: () => now } },
  );
  expect(await environment.invoke(sent)).toEqual({ same: false, keys: ["a"], remaining: 2600 });
});

test("what the handler throws is thrown, and a handler that hangs times out", async () => {
  const thrown = new RangeError("no");
  await expect(inProcessEnvironment(() => Promise.reject(thrown)).invoke({})).rejects.toBe(thrown);
  const hanging = inProcessEnvironment(() => new Promise(() => {}), { timeoutMs: 20 });
  await expect(hanging.invoke({})).rejects.toMatchObject({ name: "Sandbox.Timedout" });
});
