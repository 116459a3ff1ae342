import { describe, expect, it } from "vitest";
import { isIntegral, longValue } from "../../lib/operators/integers.js";

describe("longValue", () => {
  it("is a number while safe, a bigint beyond", () => {
    expect(longValue(2n ** 53n - 1n)).toBe(Number.MAX_SAFE_INTEGER);
    expect(longValue(2n ** 53n)).toBe(2n ** 53n);
    expect(longValue(-(2n ** 53n))).toBe(-(2n ** 53n));
  });
});

describe("isIntegral", () => {
  it("takes a number beyond 2^53 for a double", () => {
    expect([1, 5n, 2 ** 53, 0.5, Number.NaN, "1", null].map(isIntegral)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
