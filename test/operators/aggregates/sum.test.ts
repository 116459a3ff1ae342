import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aggregateOf, resultOf, values } from "./grouping.js";

const sum = (type: "long" | "double" | "json", ...list: unknown[]) =>
  resultOf(aggregateOf({ fn: "sum" }, type), values(...list));

describe("sum", () => {
  it("is exact for longs of any size, and a number again when it comes back below 2^53", () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: -(2n ** 58n), max: 2n ** 58n }), { minLength: 1, maxLength: 8 }),
        (list) => {
          const travelling = list.map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
          expect(BigInt(sum("long", ...travelling) as number)).toBe(list.reduce((a, b) => a + b));
        },
      ),
    );
  });

  it("fails at 2^63 instead of wrapping", () => {
    expect(sum("long", 2n ** 63n - 2n, 1)).toBe(2n ** 63n - 1n);
    expect(() => sum("long", 2n ** 63n - 1n, 1)).toThrow("sum-overflow");
    expect(() => sum("long", -(2n ** 63n), -1)).toThrow("sum-overflow");
  });

  it("skips NULL, and is NULL of nothing else", () => {
    expect(sum("long", 1, null, 2)).toBe(3);
    expect(sum("long", null, null)).toBeNull();
  });

  it("folds doubles in arrival order", () => {
    expect(sum("double", 0.1, 0.2, 0.3)).toBe(0.1 + 0.2 + 0.3);
  });

  it("sums json integers exactly or not at all, as double from the first fraction on", () => {
    expect(sum("json", 1, 2, 3)).toBe(6);
    expect(() => sum("json", Number.MAX_SAFE_INTEGER, 1)).toThrow("sum-not-exact");
    expect(sum("json", 0.5, 0.5, Number.MAX_SAFE_INTEGER)).toBe(2 ** 53);
  });

  it("stops at a json value that is no number, instead of being NaN ever after", () => {
    for (const fn of ["sum", "avg", "variance", "stddev"] as const)
      for (const bad of ["x", {}, []])
        expect(() => resultOf(aggregateOf({ fn }, "json"), values(1, bad)), fn).toThrow("cast-failed");
    expect([sum("json", 1, "2.5"), sum("json", 1, null), sum("json", Number.NaN, 1)]).toEqual([3.5, 1, Number.NaN]);
  });
});
