import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareNullable, compareText, compareValues } from "../../lib/operators/ordering.js";

const bytes = (a: string, b: string) => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));

describe("compareText", () => {
  it("orders as the UTF-8 bytes do, for any well-formed texts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(bytes(a, b));
      }),
    );
  });
});

describe("compareValues", () => {
  it("is antisymmetric and transitive over mixed json values", () => {
    const value = fc.oneof(fc.integer(), fc.double(), fc.string(), fc.boolean(), fc.bigInt(), fc.array(fc.integer()));
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        expect(Math.sign(compareValues(a, b)) + Math.sign(compareValues(b, a))).toBe(0);
        if (compareValues(a, b) <= 0 && compareValues(b, c) <= 0) expect(compareValues(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it("takes -0 for 0", () => {
    expect(compareValues(-0, 0)).toBe(0);
  });
});

describe("compareNullable", () => {
  it("puts NULL first", () => {
    expect([3, null, 1].sort(compareNullable)).toEqual([null, 1, 3]);
  });
});
