import { DDSketch } from "@datadog/sketches-js";
import { userError } from "../../errors.js";
import type { Evaluator } from "../evaluate/evaluate.js";
import type { AggregateFunction } from "./aggregate-function.js";

/** The stored form: count of zeros, then bins of positive and of negative values as index, count, index, count, … */
type Bins = readonly [zeros: number, positive: readonly number[], negative: readonly number[]];
type Store = DDSketch["store"];

const binsOf = (store: Store): number[] => {
  const bins: number[] = [];
  for (let i = 0; i < store.bins.length; i++) {
    const count = store.bins[i]!;
    if (count > 0) bins.push(i + store.offset, count);
  }
  return bins;
};

const refill = (store: Store, bins: readonly number[]): void => {
  for (let i = 0; i < bins.length; i += 2) store.add(bins[i]!, bins[i + 1]!);
};

const toBins = (sketch: DDSketch): Bins => [sketch.zeroCount, binsOf(sketch.store), binsOf(sketch.negativeStore)];

function toSketch([zeros, positive, negative]: Bins, relativeAccuracy: number): DDSketch {
  const sketch = new DDSketch({ relativeAccuracy });
  refill(sketch.store, positive);
  refill(sketch.negativeStore, negative);
  sketch.zeroCount = zeros;
  sketch.count = zeros + sketch.store.count + sketch.negativeStore.count;
  return sketch;
}

const outOfRange = (what: string, value: number) =>
  userError("percentile-range", `A ${what} of ${value} is out of range.`, `Give a ${what} between 0 and 1.`);

/** DDSketch: the value is within `options.accuracy` (0.01) of the true percentile, relative to it. */
export function approxPercentileAggregate(
  value: Evaluator,
  options: Readonly<Record<string, unknown>> = {},
): AggregateFunction {
  const percentile = Number(options["percentile"] ?? 0.5);
  const accuracy = Number(options["accuracy"] ?? 0.01);
  if (!(percentile >= 0 && percentile <= 1)) throw outOfRange("percentile", percentile);
  if (!(accuracy > 0 && accuracy < 1)) throw outOfRange("accuracy", accuracy);
  const sketchOf = (slot: unknown): DDSketch => (slot instanceof DDSketch ? slot : toSketch(slot as Bins, accuracy));
  return {
    slots: 1,
    init: (state, at) => {
      state[at] = new DDSketch({ relativeAccuracy: accuracy });
    },
    open: (state, at) => {
      state[at] = toSketch(state[at] as Bins, accuracy);
    },
    seal: (state, at) => {
      state[at] = toBins(state[at] as DDSketch);
    },
    update: (state, at, row) => {
      const next = value(row);
      if (next !== null && Number.isFinite(Number(next))) (state[at] as DDSketch).accept(Number(next));
    },
    merge: (state, at, other) => {
      (state[at] as DDSketch).merge(sketchOf(other[at]));
    },
    finish: (state, at) => {
      const sketch = sketchOf(state[at]);
      return sketch.count === 0 ? null : sketch.getValueAtQuantile(percentile);
    },
  };
}
