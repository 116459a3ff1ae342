import { describe, expect, it } from "vitest";
import { checkRead, checkWrite } from "../../../lib/local/s3-emulator/preconditions.js";
import type { S3Error } from "../../../lib/local/s3-emulator/s3-error.js";

const object = { body: Buffer.from("a"), etag: "e1", modified: 0, headers: {}, checksums: {} };
const outcome = (run: () => unknown): unknown => {
  try {
    return run() ?? "done";
  } catch (error) {
    return (error as S3Error).status;
  }
};

describe("a conditional write", () => {
  it("with If-None-Match: * makes an object and never replaces one", () => {
    const headers = { "if-none-match": "*" };
    expect(outcome(() => checkWrite(headers, undefined))).toBe("done");
    expect(outcome(() => checkWrite(headers, object))).toBe(412);
    expect(outcome(() => checkWrite({ "if-none-match": '"e1"' }, object))).toBe(501);
  });

  it("with If-Match replaces the object that it names", () => {
    expect(outcome(() => checkWrite({ "if-match": '"e1"' }, object))).toBe("done");
    expect(outcome(() => checkWrite({ "if-match": '"e2"' }, object))).toBe(412);
    expect(outcome(() => checkWrite({ "if-match": '"e1"' }, undefined))).toBe(404);
  });
});

describe("a conditional read", () => {
  it("is not modified for the reader who has the object", () => {
    expect(checkRead({ "if-none-match": '"e1"' }, object)).toBe(true);
    expect(checkRead({ "if-none-match": '"e2"' }, object)).toBe(false);
    expect(outcome(() => checkRead({ "if-match": '"e2"' }, object))).toBe(412);
  });
});
