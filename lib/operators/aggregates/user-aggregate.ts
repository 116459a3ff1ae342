import { userError } from "../../errors.js";
import { type Reader, rowReader } from "../evaluate/reader.js";
import { ownCopy, ownRow } from "../own-row.js";
import type { AggregateFunction } from "./aggregate-function.js";

/** What a user-defined aggregate consists of. `add` and `merge` return the accumulator; it may be the changed argument. */
interface UserAggregate<Value = unknown, Accumulator = unknown, Result = unknown> {
  init(): Accumulator;
  add(accumulator: Accumulator, value: Value): Accumulator;
  /** What `later` has seen after what `earlier` has seen; sessions need it. */
  merge(earlier: Accumulator, later: Accumulator): Accumulator;
  finish(accumulator: Accumulator): Result;
}

export function requireUserAggregate(name: string, candidate: unknown): UserAggregate {
  const parts = candidate as Partial<Record<keyof UserAggregate, unknown>> | null | undefined;
  const complete = (["init", "add", "merge", "finish"] as const).every((part) => typeof parts?.[part] === "function");
  if (complete) return candidate as UserAggregate;
  throw userError(
    "user-aggregate",
    `The aggregate '${name}' lacks one of init, add, merge and finish.`,
    "Give an object with all four functions.",
  );
}

/** `finish` may change what it is given, and what rests in state must stay as it is. */
const ownState = (accumulator: unknown): unknown =>
  typeof accumulator === "object" ? structuredClone(accumulator) : accumulator;

const ownReader =
  (value: Reader): Reader =>
  (batch) => {
    const valueAt = value(batch);
    return (row) => ownCopy(valueAt(row));
  };

/** Gets NULLs too; without a value column it gets the whole row. */
export function customAggregate(value: Reader | null, { init, add, merge, finish }: UserAggregate): AggregateFunction {
  const argument: Reader = value === null ? rowReader(ownRow) : ownReader(value);
  return {
    slots: 1,
    init: (state, at) => {
      state[at] = init();
    },
    open: (state, at) => {
      state[at] = structuredClone(state[at]);
    },
    over(batch) {
      const argumentAt = argument(batch);
      return (state, at, row) => {
        state[at] = add(state[at], argumentAt(row));
      };
    },
    merge: (state, at, other) => {
      state[at] = merge(state[at], other[at]);
    },
    finish: (state, at) => finish(ownState(state[at])) ?? null,
  };
}
