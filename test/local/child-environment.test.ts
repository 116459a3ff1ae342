import { fileURLToPath } from "node:url";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { bundleToTemporaryFile, type TemporaryBundle } from "../../lib/cli/bundle.js";
import {
  type ChildEnvironment,
  type ChildEnvironmentOptions,
  childEnvironment,
} from "../../lib/local/child-environment.js";
import { startStack } from "../../lib/local/stack.js";

let bundle: TemporaryBundle;
let environment: ChildEnvironment;
beforeAll(async () => {
  bundle = await bundleToTemporaryFile(fileURLToPath(new URL("functions/sample.ts", import.meta.url)));
});
afterAll(() => bundle.remove());
afterEach(() => environment.stop());

const start = (more: Partial<ChildEnvironmentOptions> = {}) => {
  environment = childEnvironment({ handlerFile: bundle.file, ...more });
  return environment;
};
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("invocations share one process, which gets the event, a context and only its own variables", async () => {
  start({ functionName: "sample", timeoutMs: 5000, variables: { MINE: "1" } });
  expect(await environment.invoke({ do: "count" })).toBe(1);
  expect(await environment.invoke({ do: "count" })).toBe(2);
  const echo = (await environment.invoke({ do: "echo" })) as { name: string; remaining: number };
  expect(echo).toMatchObject({ event: { do: "echo" }, name: "sample" });
  expect(echo.remaining).toBeGreaterThan(4000);
  expect(echo.remaining).toBeLessThanOrEqual(5000);
  const variables = (await environment.invoke({ do: "variables" })) as string[];
  expect(variables).toContain("MINE");
  expect(variables).not.toContain("VITEST");
  expect(environment.starts()).toBe(1);
});

test("what the handler throws comes back with its name, and the process lives on", async () => {
  start();
  await expect(environment.invoke({ do: "throw" })).rejects.toMatchObject({
    name: "RangeError",
    message: "thrown by the handler",
  });
  expect(await environment.invoke({ do: "count" })).toBe(2);
});

test("a process that exits fails its invocation, and the next one starts anew", async () => {
  start();
  await environment.invoke({ do: "count" });
  await expect(environment.invoke({ do: "exit" })).rejects.toThrow("exit status 3");
  expect(await environment.invoke({ do: "count" })).toBe(1);
  expect(environment.starts()).toBe(2);
});

test("kill -9 fails the invocation under way; the memory is gone", async () => {
  start();
  await environment.invoke({ do: "count" });
  const hanging = environment.invoke({ do: "hang" });
  hanging.catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 20));
  await environment.kill();
  await expect(hanging).rejects.toThrow("SIGKILL");
  expect(environment.pid()).toBeNull();
  expect(await environment.invoke({ do: "count" })).toBe(1);
});

test("an invocation that takes too long is killed with its process", async () => {
  start({ timeoutMs: 100 });
  await environment.invoke({ do: "count" });
  const pid = environment.pid()!;
  await expect(environment.invoke({ do: "hang" })).rejects.toThrow("Task timed out after 0.10 seconds");
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(await environment.invoke({ do: "count" })).toBe(1);
});

test("a frozen process wakes later and ends what it had begun, beside its successor", async () => {
  start();
  await environment.invoke({ do: "count" });
  const begun = environment.invoke({ do: "wait", ms: 30 });
  begun.catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 10));
  const frozen = environment.freeze()!;
  await expect(begun).rejects.toThrow("frozen");
  expect(await environment.invoke({ do: "count" })).toBe(1);
  expect(environment.pid()).not.toBe(frozen.pid);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(await frozen.thaw()).toBe(2);
  expect(isAlive(frozen.pid)).toBe(true);
  await environment.stop();
  expect(isAlive(frozen.pid)).toBe(false);
});

test("a file that throws at import, or lacks the handler, says so and leaves nothing running", async () => {
  const broken = await bundleToTemporaryFile(fileURLToPath(new URL("functions/broken.ts", import.meta.url)));
  start({ handlerFile: broken.file });
  await expect(environment.invoke({})).rejects.toThrow("at import");
  await broken.remove();
  start({ handlerName: "notAFunction" });
  await expect(environment.invoke({})).rejects.toThrow("not an exported function");
});

test("the handler's output can be read", async () => {
  let output = "";
  start({ onOutput: (text) => (output += text) });
  await environment.invoke({ do: "write" });
  await expect.poll(() => output).toContain("written by the handler");
});

test("given the stack's variables, the SDK in the child finds the stack", async () => {
  const stack = await startStack();
  await stack.createBucket("data");
  start({ variables: stack.variables });
  await environment.invoke({ do: "put", key: "k" });
  const object = await stack.clients.s3.send(new GetObjectCommand({ Bucket: "data", Key: "k" }));
  expect(await object.Body!.transformToString()).toBe("from a child");
  await environment.stop();
  await stack.stop();
});
