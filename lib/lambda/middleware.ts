import type { Logger } from "@aws-lambda-powertools/logger";
import type { MiddlewareObj } from "@middy/core";
import { TidemarkError } from "../errors.js";

/** What a failed invocation says: code, fault and remedy, never a payload. The error goes on to Lambda, which sends the batch again. */
export const logFailures = (logger: Logger): MiddlewareObj => ({
  name: "tidemark-log-failures",
  onError: ({ error }) => {
    const known = error instanceof TidemarkError ? { code: error.code, domain: error.domain, retry: error.retry } : {};
    logger.error("The invocation failed.", { ...known, error: error as Error });
  },
});

/** Lambda waits for the event loop to empty otherwise; kept-alive connections would hold the answer back. */
export const answerAtOnce = (): MiddlewareObj => ({
  name: "tidemark-answer-at-once",
  before: ({ context }) => {
    context.callbackWaitsForEmptyEventLoop = false;
  },
});
