import { describe, expect, it } from "vitest";
import { ENVIRONMENT, readEnvironment } from "../../lib/lambda/environment.js";

const given = (more: Record<string, string> = {}) =>
  readEnvironment({ [ENVIRONMENT.table]: "table", [ENVIRONMENT.bucket]: "bucket", ...more });

describe("the environment of a function", () => {
  it("names what is missing, and the remedy", () => {
    expect(() => readEnvironment({ [ENVIRONMENT.table]: "table" })).toThrow(/TIDEMARK_BUCKET.*StreamingQuery/);
  });

  it("takes the published version as generation, an override before it, and 0 for $LATEST", () => {
    expect(given({ AWS_LAMBDA_FUNCTION_VERSION: "17" }).generation).toBe(17);
    expect(given({ AWS_LAMBDA_FUNCTION_VERSION: "$LATEST" }).generation).toBe(0);
    expect(given({ AWS_LAMBDA_FUNCTION_VERSION: "17", [ENVIRONMENT.generation]: "3" }).generation).toBe(3);
  });

  it("allows state two fifths of the memory, unless told otherwise", () => {
    expect(given({ AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "1000" }).maxStateBytes).toBe(Math.floor(400 * 1_048_576));
    expect(given({ [ENVIRONMENT.maxStateBytes]: "5" }).maxStateBytes).toBe(5);
    expect(given().maxStateBytes).toBeNull();
  });

  it("sees that endpoints are not AWS's own", () => {
    expect(given().ownEndpoints).toBe(false);
    expect(given({ AWS_ENDPOINT_URL_S3: "http://127.0.0.1:1" }).ownEndpoints).toBe(true);
  });

  it("refuses a number that is none", () => {
    expect(() => given({ [ENVIRONMENT.timeReserve]: "soon" })).toThrow("environment-not-a-number");
    // TRIALS-2 E14
    for (const text of [" ", "-5", "1.5", "1e3", "0x10", "Infinity", "99999999999999999999"])
      expect(() => given({ [ENVIRONMENT.maxStateBytes]: text }), text).toThrow("environment-not-a-number");
  });
});
