import { expect, it } from "vitest";
import { contextFields, lambdaContext, timeoutOf } from "../../lib/local/lambda-context.js";

it("counts the remaining time down to zero, and no further", () => {
  const clock = { time: 0, now: () => clock.time };
  const context = lambdaContext(contextFields({ functionName: "views" }), timeoutOf({ timeoutMs: 1_000 }), clock);
  const remaining = [0, 400, 5_000].map((time) => {
    clock.time = time;
    return context.getRemainingTimeInMillis();
  });
  expect(remaining).toEqual([1_000, 600, 0]);
  expect(context).toMatchObject({ functionName: "views", memoryLimitInMB: "512", functionVersion: "$LATEST" });
});
