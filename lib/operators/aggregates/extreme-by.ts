import type { Reader } from "../evaluate/reader.js";
import { compareValues } from "../ordering.js";
import type { AggregateFunction } from "./aggregate-function.js";

/**
 * minBy (`sign` -1) and maxBy (`sign` 1): the value, perhaps NULL, of the row with the extreme `by`; rows whose `by` is NULL
 * are skipped, and of equals the later one counts, as in Spark.
 */
export function extremeByAggregate(value: Reader, by: Reader, sign: -1 | 1): AggregateFunction {
  const wins = (state: readonly unknown[], at: number, next: unknown): boolean =>
    next !== null && (state[at + 1] === null || compareValues(next, state[at + 1]) * sign >= 0);
  return {
    slots: 2,
    init: (state, at) => {
      state[at] = null;
      state[at + 1] = null;
    },
    over(batch) {
      const byAt = by(batch);
      const valueAt = value(batch);
      return (state, at, row) => {
        const next = byAt(row);
        if (!wins(state, at, next)) return;
        state[at] = valueAt(row);
        state[at + 1] = next;
      };
    },
    merge: (state, at, other) => {
      if (!wins(state, at, other[at + 1])) return;
      state[at] = other[at];
      state[at + 1] = other[at + 1];
    },
    finish: (state, at) => state[at],
  };
}
