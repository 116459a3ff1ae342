import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PercentileSketch, type StoredPercentiles } from "../../../lib/operators/aggregates/percentile-sketch.js";

const sketchOf = (values: readonly number[], accuracy = 0.01) => {
  const sketch = new PercentileSketch(accuracy);
  for (const value of values) sketch.add(value);
  return sketch;
};

/** Spark's: the least value that at least this share of all does not exceed. */
const exactly = (values: readonly number[], percentile: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(percentile * values.length) - 1)]!;

const percentile = fc.double({ min: 0, max: 1, noNaN: true });
const amount = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => Math.round(value * 100) / 100);

describe("PercentileSketch", () => {
  it("TRIALS-2 C9: is exact while values are few", () => {
    expect(sketchOf([1, 1, 1]).at(0.5)).toBe(1);
    expect(sketchOf([200, 404]).at(1)).toBe(404);
    expect(sketchOf([200, 404]).at(0.5)).toBe(200);
    expect(sketchOf([]).at(0.5)).toBeNull();
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 64 }), percentile, (values, p) => {
        expect(sketchOf(values).at(p)).toBe(exactly(values, p));
      }),
    );
  });

  it("TRIALS-2 C9: never leaves what was seen, stored, restored and merged however", () => {
    const parts = fc.array(fc.array(amount, { maxLength: 90 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(parts, percentile, (lists, p) => {
        const all = lists.flat();
        const merged = new PercentileSketch(0.01);
        for (const list of lists) merged.merge(PercentileSketch.restore(sketchOf(list).store(), 0.01));
        const answer = PercentileSketch.restore(merged.store(), 0.01).at(p);
        if (all.length === 0) {
          expect(answer).toBeNull();
          return;
        }
        expect(answer).toBeGreaterThanOrEqual(Math.min(...all));
        expect(answer).toBeLessThanOrEqual(Math.max(...all));
      }),
      { numRuns: 60 },
    );
  });

  it("TRIALS-2 E5: takes a bounded number of bins, whatever the values and the accuracy", () => {
    for (const accuracy of [0.01, 0.001, 0.0001]) {
      const sketch = new PercentileSketch(accuracy);
      for (let n = 0; n < 100; n++)
        for (const value of [1e-300, 1e300, -1e-300, -1e300, 10 ** (n % 40), 0]) sketch.add(value);
      const [, positive, negative] = sketch.store() as readonly [number, number[], number[]];
      // As index and count.
      expect(positive.length).toBeLessThanOrEqual(2 * 4_096);
      expect(negative.length).toBeLessThanOrEqual(2 * 4_096);
      const restored = PercentileSketch.restore(sketch.store(), accuracy);
      expect(restored.at(1)! / 1e300).toBeCloseTo(1, 1);
      expect(restored.at(0)! / -1e300).toBeCloseTo(1, 1);
    }
  });

  it("TRIALS-2 E5: keeps its accuracy over ten powers of ten", () => {
    const sketch = new PercentileSketch(0.01);
    const values = Array.from({ length: 1_000 }, (_, n) => 10 ** (-5 + n / 100));
    for (const value of values) sketch.add(value);
    for (const p of [0.1, 0.5, 0.9]) expect(sketch.at(p)! / values[Math.floor(p * 999)]!).toBeCloseTo(1, 1);
  });

  it("reads what was stored before the least and the greatest value were", () => {
    const before: StoredPercentiles = [1, [0, 2], []];
    const restored = PercentileSketch.restore(before, 0.01);
    expect(restored.at(0)).toBe(0);
    expect(restored.at(1)).toBeCloseTo(1, 1);
    expect(restored.store()).toEqual([1, [0, 2], []]);
  });
});
