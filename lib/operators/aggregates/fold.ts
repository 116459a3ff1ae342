import type { Reader } from "../evaluate/reader.js";
import type { AggregateFunction } from "./aggregate-function.js";

/** Two values that are not NULL as one. */
export type Combine = (folded: unknown, next: unknown) => unknown;

/**
 * An aggregate whose result is a value like those that it takes: NULLs are skipped, of no value it is NULL, and groups merge as
 * rows do. `first` makes of a lone value what it folds on with; absent: the value itself.
 */
export function foldAggregate(
  value: Reader,
  combine: Combine,
  first: (value: unknown) => unknown = itself,
): AggregateFunction {
  const take = (state: unknown[], at: number, next: unknown) => {
    if (next === null) return;
    const folded = state[at];
    state[at] = folded === null ? first(next) : combine(folded, next);
  };
  return {
    slots: 1,
    init: (state, at) => {
      state[at] = null;
    },
    over(batch) {
      const valueAt = value(batch);
      return (state, at, row) => take(state, at, valueAt(row));
    },
    merge: (state, at, other) => take(state, at, other[at]),
    finish: (state, at) => state[at],
  };
}

const itself = (value: unknown): unknown => value;
