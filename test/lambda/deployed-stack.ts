import { afterAll, beforeAll } from "vitest";
import { ENVIRONMENT } from "../../lib/lambda/environment.js";
import { type Stack, startStack } from "../../lib/local/stack.js";

/** The embedded stack for the tests of one file, and in this process the environment of a function that is deployed on it. */
export function deployedStack(): { readonly stack: Stack } {
  let stack: Stack;
  const before = { ...process.env };

  beforeAll(async () => {
    stack = await startStack();
    await stack.createTable("checkpoints");
    await stack.createBucket("results");
    Object.assign(process.env, stack.variables, {
      [ENVIRONMENT.table]: "checkpoints",
      [ENVIRONMENT.bucket]: "results",
      [ENVIRONMENT.generation]: "1",
      POWERTOOLS_METRICS_DISABLED: "true",
      POWERTOOLS_LOG_LEVEL: "SILENT",
    });
  });

  afterAll(async () => {
    await stack?.stop();
    process.env = before;
  });

  return {
    get stack() {
      return stack;
    },
  };
}
