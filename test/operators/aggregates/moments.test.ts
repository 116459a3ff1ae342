import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add } from "../batches.js";
import { aggregateOf, resultOf, values } from "./grouping.js";

const of = (fn: "stddev" | "variance", ...list: unknown[]) => resultOf(aggregateOf({ fn }, "double"), values(...list));

describe("variance and stddev", () => {
  it("are NULL of fewer than two values", () => {
    expect(of("stddev", 1, null)).toBeNull();
    expect(of("variance")).toBeNull();
  });

  it("are those of a sample", () => {
    expect(of("variance", 2, 4, 4, 4, 5, 5, 7, 9)).toBeCloseTo(32 / 7, 12);
    expect(of("stddev", 1, 3)).toBeCloseTo(Math.SQRT2, 12);
  });

  it("agree with two passes over the values", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2 }), (list) => {
        const mean = list.reduce((a, b) => a + b) / list.length;
        const expected = list.reduce((total, x) => total + (x - mean) ** 2, 0) / (list.length - 1);
        const group = aggregateOf({ fn: "variance" }, "double");
        const accumulator = group.create();
        for (const v of list) add(group, accumulator, { v });
        const row: Record<string, unknown> = {};
        group.finish(accumulator, row);
        expect(row["out"]).toBeCloseTo(expected, 6);
      }),
    );
  });
});
