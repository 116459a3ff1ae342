import { TidemarkError } from "../errors.js";

/** An error as the log shows it: whose fault, where in the code, never what a row held. */
interface LoggedError {
  readonly name: string;
  readonly code?: string;
  readonly domain?: string;
  readonly retry?: boolean;
  /** Only of errors whose words are ours or the service's own. */
  readonly message?: string;
  /** Of a service: what its support asks for. */
  readonly requestId?: string;
  readonly status?: number;
  readonly frames: readonly string[];
  readonly cause?: LoggedError;
}

/** Ours, but their words repeat a key, a value or what a user function said. */
const QUOTING: ReadonlySet<string> = new Set(["user-function", "state-value-unsupported", "regexp-invalid"]);
/** Services repeat the argument that they refuse. */
const REFUSED_ARGUMENT = /validation|serialization|invalidargument|invalidparameter/i;
const MAX_FRAMES = 12;
const MAX_CAUSES = 5;

interface ServiceError extends Error {
  readonly $metadata: { readonly requestId?: string; readonly httpStatusCode?: number };
}

/** `verbatim`: every message too, for whoever may see payloads in the log. */
export function loggedError(error: unknown, verbatim = false, depth = 0): LoggedError {
  if (!(error instanceof Error)) {
    return { name: typeof error, frames: [], ...(verbatim ? { message: String(error) } : {}) };
  }
  const shown = verbatim || mayBeShown(error);
  return {
    name: /^[\w.$-]{1,64}$/.test(error.name) ? error.name : "Error",
    ...(error instanceof TidemarkError ? { code: error.code, domain: error.domain, retry: error.retry } : {}),
    ...(isService(error) ? serviceFields(error) : {}),
    ...(shown ? { message: error.message } : {}),
    frames: framesOf(error),
    ...(error.cause === undefined || depth === MAX_CAUSES
      ? {}
      : { cause: loggedError(error.cause, verbatim, depth + 1) }),
  };
}

/** Lambda writes the message and stack of what a function throws into the log: what may not be shown there leaves without them. */
export function thrownError(error: unknown, verbatim = false): unknown {
  if (verbatim || (error instanceof Error && mayBeShown(error))) return error;
  const { name, frames } = loggedError(error);
  const withheld =
    error instanceof TidemarkError
      ? new TidemarkError("The message is withheld, for it may quote a payload.", error)
      : Object.assign(new Error("The message is withheld, for it may quote a payload."), { name });
  withheld.stack = [`${withheld.name}: ${withheld.message}`, ...frames].join("\n");
  return Object.defineProperty(withheld, "cause", { value: undefined });
}

function mayBeShown(error: Error): boolean {
  if (error instanceof TidemarkError) return !QUOTING.has(error.code);
  return isService(error) && !REFUSED_ARGUMENT.test(error.name);
}

const isService = (error: Error): error is ServiceError =>
  typeof (error as Partial<ServiceError>).$metadata === "object" && (error as ServiceError).$metadata !== null;

const serviceFields = ({ $metadata: { requestId, httpStatusCode } }: ServiceError) => ({
  ...(requestId === undefined ? {} : { requestId }),
  ...(httpStatusCode === undefined ? {} : { status: httpStatusCode }),
});

/** The stack begins with name and message: only what follows them is code. A message changed since hides it all. */
function framesOf({ stack = "", message }: Error): string[] {
  const at = stack.indexOf(message);
  if (at < 0) return [];
  const lines = stack.slice(at + message.length).split("\n");
  return lines
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => line.trim());
}
