import { describe, expect, it } from "vitest";
import { aggregateOf, resultOf, values } from "./grouping.js";

const bits = aggregateOf({ fn: "bitAnd" }, "long");

describe("bitAnd", () => {
  it("keeps the bits that all values have, NULLs passed over", () => {
    expect(resultOf(bits, values(0b1110, null, 0b0111))).toBe(0b0110);
    expect(resultOf(bits, values(null))).toBeNull();
  });

  it("is exact beyond 32 and 53 bits, in two's complement", () => {
    expect(resultOf(bits, values(2 ** 40 + 1, 2 ** 40 + 2))).toBe(2 ** 40);
    expect(resultOf(bits, values(-1, 2n ** 62n))).toBe(2n ** 62n);
    expect(resultOf(bits, values(-2, 7))).toBe(6);
  });
});
