import { userError } from "../../errors.js";
import type { Reader } from "../evaluate/reader.js";
import type { AggregateFunction } from "./aggregate-function.js";
import { PercentileSketch, type StoredPercentiles } from "./percentile-sketch.js";

const outOfRange = (what: string, value: number) =>
  userError("percentile-range", `A ${what} of ${value} is out of range.`, `Give a ${what} between 0 and 1.`);

/** Exact of up to 64 values; beyond, within `options.accuracy` (0.01) of the true percentile, relative to it, and never outside what was seen. */
export function approxPercentileAggregate(
  value: Reader,
  options: Readonly<Record<string, unknown>> = {},
): AggregateFunction {
  const percentile = Number(options["percentile"] ?? 0.5);
  const accuracy = Number(options["accuracy"] ?? 0.01);
  if (!(percentile >= 0 && percentile <= 1)) throw outOfRange("percentile", percentile);
  if (!(accuracy > 0 && accuracy < 1)) throw outOfRange("accuracy", accuracy);
  const sketchOf = (slot: unknown): PercentileSketch =>
    slot instanceof PercentileSketch ? slot : PercentileSketch.restore(slot as StoredPercentiles, accuracy);
  return {
    slots: 1,
    init: (state, at) => {
      state[at] = new PercentileSketch(accuracy);
    },
    open: (state, at) => {
      state[at] = sketchOf(state[at]);
    },
    seal: (state, at) => {
      state[at] = (state[at] as PercentileSketch).store();
    },
    over(batch) {
      const valueAt = value(batch);
      return (state, at, row) => {
        const next = valueAt(row);
        if (next !== null && Number.isFinite(Number(next))) (state[at] as PercentileSketch).add(Number(next));
      };
    },
    merge: (state, at, other) => {
      (state[at] as PercentileSketch).merge(sketchOf(other[at]));
    },
    finish: (state, at) => sketchOf(state[at]).at(percentile),
  };
}
