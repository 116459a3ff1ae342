import { expect, it } from "vitest";
import { histogramOf } from "../../lib/lateness/histogram.js";

it("has bars up to the highest value, and counts every value once", () => {
  const bars = histogramOf(Float64Array.of(0, 0, 1, 999, 1_000, 90_000));
  expect(bars).toEqual([
    { fromMs: 0, toMs: 1, rows: 2 },
    { fromMs: 1, toMs: 1_000, rows: 2 },
    { fromMs: 1_000, toMs: 5_000, rows: 1 },
    { fromMs: 5_000, toMs: 15_000, rows: 0 },
    { fromMs: 15_000, toMs: 60_000, rows: 0 },
    { fromMs: 60_000, toMs: null, rows: 1 },
  ]);
});
