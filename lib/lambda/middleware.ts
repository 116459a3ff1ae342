import type { Logger } from "@aws-lambda-powertools/logger";
import type { MiddlewareObj } from "@middy/core";
import { ENVIRONMENT } from "./environment.js";
import { loggedError, thrownError } from "./logged-error.js";

/** Middleware: what a failed invocation says: code, fault and place, never a payload. The error goes on to Lambda, which sends the batch again. */
export const logFailures = (logger: Logger): MiddlewareObj => ({
  name: "tidemark-log-failures",
  onError: (request) => {
    const verbatim = logsMessages();
    logger.error("The invocation failed.", { failure: loggedError(request.error, verbatim) });
    request.error = thrownError(request.error, verbatim) as Error;
  },
});

export const logsMessages = (): boolean => process.env[ENVIRONMENT.logMessages] === "true";

/** Middleware: Lambda waits for the event loop to empty otherwise; kept-alive connections would hold the answer back. */
export const answerAtOnce = (): MiddlewareObj => ({
  name: "tidemark-answer-at-once",
  before: ({ context }) => {
    context.callbackWaitsForEmptyEventLoop = false;
  },
});
