import type { Reader } from "../evaluate/reader.js";
import type { AggregateFunction } from "./aggregate-function.js";

/** Of rows, or of the values that are not NULL. */
export const countAggregate = (value: Reader | null): AggregateFunction => ({
  slots: 1,
  init: (state, at) => {
    state[at] = 0;
  },
  over(batch) {
    if (value === null)
      return (state, at) => {
        (state[at] as number)++;
      };
    const valueAt = value(batch);
    return (state, at, row) => {
      if (valueAt(row) !== null) (state[at] as number)++;
    };
  },
  merge: (state, at, other) => {
    (state[at] as number) += other[at] as number;
  },
  finish: (state, at) => state[at],
});
