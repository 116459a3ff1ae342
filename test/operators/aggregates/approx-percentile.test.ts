import { describe, expect, it } from "vitest";
import { aggregateOf, resultOf, values } from "./grouping.js";

const percentile = (p: number, ...list: unknown[]) =>
  resultOf(
    aggregateOf({ fn: "approxPercentile", options: { percentile: p, accuracy: 0.01 } }, "double"),
    values(...list),
  ) as number;

describe("approxPercentile", () => {
  const list = Array.from({ length: 1000 }, (_, i) => i + 1);

  it.each([0.1, 0.5, 0.99])("is within 1 %% of the true percentile %f", (p) => {
    const exact = list[Math.floor(p * (list.length - 1))]!;
    expect(Math.abs(percentile(p, ...list) - exact) / exact).toBeLessThanOrEqual(0.011);
  });

  it("handles negative values and zeros, and survives being stored", () => {
    expect(percentile(0.5, -10, 0, 10)).toBe(0);
    expect(percentile(0, -10, 0, 10)).toBeCloseTo(-10, 0);
  });

  it("is NULL of nothing", () => {
    expect(percentile(0.5, null)).toBeNull();
  });

  it("refuses a percentile or accuracy out of range when the query is planned", () => {
    expect(() => percentile(1.5, 1)).toThrow("percentile-range");
    expect(() => aggregateOf({ fn: "approxPercentile", options: { accuracy: 0 } }, "double")).toThrow(
      "percentile-range",
    );
  });
});
