import type { Evaluator } from "../evaluate.js";
import { compareValues } from "../ordering.js";
import type { Aggregate } from "./aggregate.js";

/** min (`sign` -1) and max (`sign` 1); NULLs are skipped, strings compare by UTF-8 bytes (SEMANTICS C7). */
export function extremeAggregate(value: Evaluator, sign: -1 | 1): Aggregate {
  const take = (state: unknown[], at: number, next: unknown) => {
    if (next === null) return;
    const best = state[at];
    if (best === null || compareValues(next, best) * sign > 0) state[at] = next;
  };
  return {
    slots: 1,
    init: (state, at) => {
      state[at] = null;
    },
    update: (state, at, row) => take(state, at, value(row)),
    merge: (state, at, other) => take(state, at, other[at]),
    finish: (state, at) => state[at],
  };
}
