import { describe, expect, it } from "vitest";
import {
  addHash,
  estimate,
  hash52,
  mergeSketches,
  type Sketch,
} from "../../../lib/operators/aggregates/hyper-log-log.js";

const PRECISION = 12;
const sketchOf = (from: number, to: number, prefix = "k", precision = PRECISION): Sketch => {
  let sketch: Sketch = [];
  for (let i = from; i < to; i++) sketch = addHash(sketch, hash52(`${prefix}${i}`), precision);
  return sketch;
};

describe("HyperLogLog", () => {
  it("errs by less than four standard errors from a thousand to a hundred thousand values", () => {
    for (const count of [1_000, 10_000, 100_000]) {
      expect(Math.abs(estimate(sketchOf(0, count)) - count) / count).toBeLessThan(4 * 0.01625);
    }
  });

  it("leans to neither side, also around two and a half values per register", () => {
    const count = 2.45 * 2 ** 14;
    const errors = ["a", "user-", "p/", "x:", "device ", "#"].map((prefix) => {
      return (estimate(sketchOf(0, count, prefix, 14)) - count) / count;
    });
    expect(Math.abs(errors.reduce((sum, error) => sum + error) / errors.length)).toBeLessThan(0.008);
  });

  it("merges to what one sketch of all values is, sparse or dense on either side", () => {
    for (const [a, b] of [
      [100, 200],
      [100, 2_000],
      [2_000, 2_100],
      [2_000, 5_000],
    ] as const) {
      const merged = mergeSketches(sketchOf(0, a), sketchOf(a, b), PRECISION);
      expect(estimate(merged)).toBe(estimate(sketchOf(0, b)));
    }
  });

  it("hashes to safe integers without a collision among a hundred thousand texts", () => {
    const hashes = new Set(Array.from({ length: 100_000 }, (_, i) => hash52(`/page/${i}`)));
    expect(hashes.size).toBe(100_000);
    for (const hash of hashes) if (!Number.isSafeInteger(hash) || hash < 0) throw new Error(`hash ${hash}`);
  });
});
