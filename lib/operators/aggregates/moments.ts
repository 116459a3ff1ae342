import { toDouble } from "../evaluate/cast.js";
import type { Reader } from "../evaluate/reader.js";
import type { AggregateFunction } from "./aggregate-function.js";

/** Of a sample: NULL of fewer than two values. Count, mean and sum of squared deviations, by the merge formula row by row. */
export function varianceAggregate(value: Reader, finish: (variance: number) => number): AggregateFunction {
  const combine = (state: unknown[], at: number, count: number, mean: number, squares: number) => {
    if (count === 0) return;
    const before = state[at] as number;
    const total = before + count;
    const delta = mean - (state[at + 1] as number);
    state[at] = total;
    (state[at + 1] as number) += (delta * count) / total;
    (state[at + 2] as number) += squares + (delta * delta * before * count) / total;
  };
  return {
    slots: 3,
    init: (state, at) => {
      state[at] = 0;
      state[at + 1] = 0;
      state[at + 2] = 0;
    },
    over(batch) {
      const valueAt = value(batch);
      return (state, at, row) => {
        const next = valueAt(row);
        if (next !== null) combine(state, at, 1, toDouble(next), 0);
      };
    },
    merge: (state, at, other) =>
      combine(state, at, other[at] as number, other[at + 1] as number, other[at + 2] as number),
    finish: (state, at) => {
      const count = state[at] as number;
      return count < 2 ? null : finish((state[at + 2] as number) / (count - 1));
    },
  };
}

export const identity = (variance: number): number => variance;
