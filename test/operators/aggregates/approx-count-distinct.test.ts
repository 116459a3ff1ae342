import { describe, expect, it } from "vitest";
import { aggregateOf, resultOf, values } from "./grouping.js";

const texts = (count: number) => values(...Array.from({ length: count }, (_, i) => `user-${i}`));
const estimate = (count: number, precision?: number) =>
  resultOf(
    aggregateOf(
      { fn: "approxCountDistinct", ...(precision === undefined ? {} : { options: { precision } }) },
      "string",
    ),
    [...texts(count), ...texts(Math.floor(count / 2))],
  ) as number;

describe("approxCountDistinct", () => {
  it("is exact for few values, and skips NULL", () => {
    expect(estimate(200)).toBe(200);
    expect(resultOf(aggregateOf({ fn: "approxCountDistinct" }, "string"), values(null, null))).toBe(0);
  });

  it.each([500, 3_000])("errs by less than 5 % of %i values", (count) => {
    expect(Math.abs(estimate(count) - count) / count).toBeLessThan(0.05);
  });

  it("refuses a precision out of range when the query is planned", () => {
    expect(() => estimate(1, 3)).toThrow("sketch-precision");
  });
});
