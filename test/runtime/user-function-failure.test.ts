import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { externalError, internalError, userError } from "../../lib/errors.js";
import { firstFailing, isUserFailure } from "../../lib/runtime/user-function-failure.js";

describe("the first failing record", () => {
  it("is found by trying prefixes, and few of them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 1, max: 10_000 }), (a, b) => {
        const [failing, all] = [Math.min(a, b), Math.max(a, b)];
        let tries = 0;
        const found = firstFailing(0, all, (records) => {
          tries++;
          return records >= failing;
        });
        expect(found).toBe(failing);
        expect(tries).toBeLessThanOrEqual(14);
      }),
    );
  });
});

describe("a throw", () => {
  it("is the record's fault unless it is ours or a service's", () => {
    expect(isUserFailure(new TypeError("x is null"))).toBe(true);
    expect(isUserFailure(userError("user-function", "It threw.", "Repair it."))).toBe(true);
    expect(isUserFailure(internalError("bug", "Broken."))).toBe(false);
    expect(isUserFailure(externalError("down", "Down.", "Wait."))).toBe(false);
  });
});
