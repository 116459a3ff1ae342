import type { Reader } from "../evaluate/reader.js";
import type { AggregateFunction } from "./aggregate-function.js";

/** In arrival order; a NULL counts unless `ignoreNulls`. The second slot says whether there was one. */
export function firstAggregate(value: Reader, ignoreNulls: boolean): AggregateFunction {
  return {
    ...placed,
    over(batch) {
      const valueAt = value(batch);
      return (state, at, row) => {
        if (state[at + 1] === true) return;
        const next = valueAt(row);
        if (next === null && ignoreNulls) return;
        state[at] = next;
        state[at + 1] = true;
      };
    },
    merge: (state, at, other) => {
      if (state[at + 1] !== true) copy(state, at, other);
    },
  };
}

export function lastAggregate(value: Reader, ignoreNulls: boolean): AggregateFunction {
  return {
    ...placed,
    over(batch) {
      const valueAt = value(batch);
      return (state, at, row) => {
        const next = valueAt(row);
        if (next === null && ignoreNulls) return;
        state[at] = next;
        state[at + 1] = true;
      };
    },
    merge: (state, at, other) => {
      if (other[at + 1] === true) copy(state, at, other);
    },
  };
}

const copy = (state: unknown[], at: number, other: readonly unknown[]) => {
  state[at] = other[at];
  state[at + 1] = other[at + 1];
};

const placed: Pick<AggregateFunction, "slots" | "init" | "finish"> = {
  slots: 2,
  init: (state, at) => {
    state[at] = null;
    state[at + 1] = false;
  },
  finish: (state, at) => state[at],
};
