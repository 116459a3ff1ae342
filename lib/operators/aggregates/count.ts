import type { Evaluator } from "../evaluate/evaluate.js";
import type { AggregateFunction } from "./aggregate-function.js";

/** Of rows, or of the values that are not NULL. */
export const countAggregate = (value: Evaluator | null): AggregateFunction => ({
  slots: 1,
  init: (state, at) => {
    state[at] = 0;
  },
  update:
    value === null
      ? (state, at) => {
          (state[at] as number)++;
        }
      : (state, at, row) => {
          if (value(row) !== null) (state[at] as number)++;
        },
  merge: (state, at, other) => {
    (state[at] as number) += other[at] as number;
  },
  finish: (state, at) => state[at],
});
