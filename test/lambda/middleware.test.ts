import type { Logger } from "@aws-lambda-powertools/logger";
import middy from "@middy/core";
import type { Context } from "aws-lambda";
import { describe, expect, it, vi } from "vitest";
import { externalError } from "../../lib/errors.js";
import { answerAtOnce, logFailures } from "../../lib/lambda/middleware.js";

describe("the middleware of a handler", () => {
  it("logs a failure with its code and lets it go on to Lambda", async () => {
    const logger = { error: vi.fn() };
    const failure = externalError("sink-unavailable", "S3 is away.", "Wait.");
    const handler = middy(async () => {
      throw failure;
    }).use(logFailures(logger as unknown as Logger));
    await expect(handler({}, {} as Context)).rejects.toBe(failure);
    const expected = { code: "sink-unavailable", domain: "external", retry: true, message: failure.message };
    expect(logger.error).toHaveBeenCalledWith("The invocation failed.", { failure: expect.objectContaining(expected) });
  });

  it("answers without waiting for idle connections", async () => {
    const context = { callbackWaitsForEmptyEventLoop: true } as Context;
    await middy(async () => "done").use(answerAtOnce())({}, context);
    expect(context.callbackWaitsForEmptyEventLoop).toBe(false);
  });
});
