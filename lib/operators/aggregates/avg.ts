import { toDouble } from "../evaluate/cast.js";
import type { Reader } from "../evaluate/reader.js";
import type { AggregateFunction } from "./aggregate-function.js";

/** Sum and count, as double whatever the column is (SEMANTICS C7). */
export const avgAggregate = (value: Reader): AggregateFunction => ({
  slots: 2,
  init: (state, at) => {
    state[at] = 0;
    state[at + 1] = 0;
  },
  over(batch) {
    const valueAt = value(batch);
    return (state, at, row) => {
      const next = valueAt(row);
      if (next === null) return;
      (state[at] as number) += toDouble(next);
      (state[at + 1] as number)++;
    };
  },
  merge: (state, at, other) => {
    (state[at] as number) += other[at] as number;
    (state[at + 1] as number) += other[at + 1] as number;
  },
  finish: (state, at) => (state[at + 1] === 0 ? null : (state[at] as number) / (state[at + 1] as number)),
});
