import type { Evaluator } from "../evaluate.js";
import type { Aggregate } from "./aggregate.js";

/** Of rows, or of the values that are not NULL. */
export const countAggregate = (value: Evaluator | null): Aggregate => ({
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
