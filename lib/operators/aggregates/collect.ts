import type { DataType } from "../../plan/schema.js";
import { encodeKey } from "../../state/key-codec.js";
import type { Reader } from "../evaluate/reader.js";
import type { AggregateFunction } from "./aggregate-function.js";

/** In arrival order, without NULLs. State grows with the rows of the group. */
export const collectListAggregate = (value: Reader): AggregateFunction => ({
  slots: 1,
  init: (state, at) => {
    state[at] = [];
  },
  open: (state, at) => {
    state[at] = [...(state[at] as unknown[])];
  },
  over(batch) {
    const valueAt = value(batch);
    return (state, at, row) => {
      const next = valueAt(row);
      if (next !== null) (state[at] as unknown[]).push(next);
    };
  },
  merge: (state, at, other) => {
    const list = state[at] as unknown[];
    // Not spread: a call takes only so many arguments.
    for (const next of other[at] as readonly unknown[]) list.push(next);
  },
  finish: (state, at) => state[at],
});

/** Distinct values by key, in order of first arrival: a map while open, an array in state. */
export function distinctAggregate(
  value: Reader,
  type: DataType,
  finish: (values: readonly unknown[]) => unknown,
): AggregateFunction {
  const types = [type];
  const add = (seen: Map<string, unknown>, next: unknown) => {
    const key = encodeKey([next], types);
    if (!seen.has(key)) seen.set(key, next);
  };
  const valuesOf = (slot: unknown): readonly unknown[] =>
    slot instanceof Map ? [...slot.values()] : (slot as readonly unknown[]);
  return {
    slots: 1,
    init: (state, at) => {
      state[at] = new Map();
    },
    open: (state, at) => {
      const seen = new Map<string, unknown>();
      for (const known of valuesOf(state[at])) add(seen, known);
      state[at] = seen;
    },
    seal: (state, at) => {
      state[at] = valuesOf(state[at]);
    },
    over(batch) {
      const valueAt = value(batch);
      return (state, at, row) => {
        const next = valueAt(row);
        if (next !== null) add(state[at] as Map<string, unknown>, next);
      };
    },
    merge: (state, at, other) => {
      for (const next of valuesOf(other[at])) add(state[at] as Map<string, unknown>, next);
    },
    finish: (state, at) => finish(valuesOf(state[at])),
  };
}
