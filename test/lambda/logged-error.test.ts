import { describe, expect, it } from "vitest";
import { externalError, userError } from "../../lib/errors.js";
import { loggedError, thrownError } from "../../lib/lambda/logged-error.js";

const SECRET = "4111-1111-1111-1111";

const serviceError = (name: string, message: string) =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode: 400, requestId: "r-1" } });

const everythingOf = (error: unknown): string =>
  error instanceof Error
    ? `${JSON.stringify(error)} ${error.message} ${error.stack} ${everythingOf(error.cause ?? null)}`
    : JSON.stringify(error);

describe("an error in the log", () => {
  it("of a user function has its name and its place in the code, and not its message", () => {
    const error = new RangeError(`no card ${SECRET}\n    at ${SECRET}:1:1`);
    const logged = loggedError(error);
    expect(logged.name).toBe("RangeError");
    expect(logged.frames[0]).toContain("logged-error.test.ts");
    expect(JSON.stringify(logged)).not.toContain(SECRET);
  });

  it("keeps the code of a wrapped user function's, and drops key and reason, at every depth of its causes", () => {
    const wrapped = userError("user-function", `It threw for key ${SECRET}.`, "Mend it.", new Error(SECRET));
    const outer = externalError("records-left", "A part of the batch is left.", "It is sent again.", wrapped);
    const logged = loggedError(outer);
    expect(logged).toMatchObject({ code: "records-left", message: outer.message, cause: { code: "user-function" } });
    expect(JSON.stringify(logged)).not.toContain(SECRET);
  });

  it("of a service shows what it refuses to do, and not the argument that it refuses", () => {
    const denied = loggedError(serviceError("AccessDeniedException", "not authorized to perform: s3:PutObject"));
    expect(denied).toMatchObject({ status: 400, requestId: "r-1", message: expect.stringContaining("s3:PutObject") });
    const refused = loggedError(serviceError("ValidationException", `Value '${SECRET}' at 'partitionKey' is too long`));
    expect(refused).toMatchObject({ name: "ValidationException", status: 400 });
    expect(JSON.stringify(refused)).not.toContain(SECRET);
  });

  it("never takes a name, or what is no error at all, at its word", () => {
    const named = Object.assign(new Error("x"), { name: `card ${SECRET}` });
    expect(JSON.stringify(loggedError(named))).not.toContain(SECRET);
    expect(JSON.stringify(loggedError(SECRET))).not.toContain(SECRET);
    const changed = new Error(SECRET);
    changed.message = "another";
    expect(JSON.stringify(loggedError(changed))).not.toContain(SECRET);
  });

  it("is complete where messages are asked for", () => {
    expect(loggedError(new Error(SECRET), true).message).toBe(SECRET);
    expect(loggedError(SECRET, true).message).toBe(SECRET);
  });
});

describe("an error that a function throws", () => {
  it("is the same one where its words are ours", () => {
    const error = externalError("sink-unavailable", "S3 is away.", "Wait.");
    expect(thrownError(error)).toBe(error);
  });

  it("says what fault it is, and withholds the rest, for Lambda logs it", () => {
    const error = userError("user-function", `It threw: ${SECRET}.`, "Mend it.", new Error(SECRET));
    const thrown = thrownError(error) as Error;
    expect(thrown).toMatchObject({ code: "user-function", domain: "user", retry: false, remedy: "Mend it." });
    expect(everythingOf(thrown)).not.toContain(SECRET);
    expect(everythingOf(thrownError(new TypeError(SECRET)))).not.toContain(SECRET);
    expect(thrownError(error, true)).toBe(error);
  });
});
