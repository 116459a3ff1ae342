/** Whose fault: `user` the query or its input, `external` a service we call, `internal` ourselves. */
export type ErrorDomain = "user" | "external" | "internal";

interface ErrorDetails {
  /** Stable, kebab-case. Codes are API: they are never renamed, and each stands in docs/errors.md. */
  readonly code: string;
  readonly domain: ErrorDomain;
  /** Whether the same call may succeed later without anybody changing anything. */
  readonly retry: boolean;
  /** One sentence: what to do about it. */
  readonly remedy: string;
  readonly cause?: unknown;
}

/**
 * The one error class. `message` says what is wrong, `remedy` what to do; `retry` decides between
 * batchItemFailures (Kinesis sends again) and a stop that needs a person.
 */
export class TidemarkError extends Error {
  readonly code: string;
  readonly domain: ErrorDomain;
  readonly retry: boolean;
  readonly remedy: string;

  constructor(message: string, details: ErrorDetails) {
    super(
      `[${details.code}] ${message} ${details.remedy}`,
      details.cause === undefined ? {} : { cause: details.cause },
    );
    this.name = "TidemarkError";
    this.code = details.code;
    this.domain = details.domain;
    this.retry = details.retry;
    this.remedy = details.remedy;
  }
}

/** A fault of the query or its input: a retry does not help. */
export const userError = (code: string, message: string, remedy: string, cause?: unknown): TidemarkError =>
  new TidemarkError(message, { code, domain: "user", retry: false, remedy, cause });

/** A fault of a service: a retry may help. */
export const externalError = (code: string, message: string, remedy: string, cause?: unknown): TidemarkError =>
  new TidemarkError(message, { code, domain: "external", retry: true, remedy, cause });

/** A broken law of our own: never retried silently, always worth a report. */
export const internalError = (
  code: string,
  message: string,
  remedy = "Please report it with the log line.",
  cause?: unknown,
): TidemarkError => new TidemarkError(message, { code, domain: "internal", retry: false, remedy, cause });
