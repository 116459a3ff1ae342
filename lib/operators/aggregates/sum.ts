import { userError } from "../../errors.js";
import type { DataType } from "../../plan/schema.js";
import { toDouble } from "../evaluate/cast.js";
import type { Reader } from "../evaluate/reader.js";
import { isIntegral, LONG_MAX, LONG_MIN, longValue } from "../integers.js";
import type { AggregateFunction } from "./aggregate-function.js";
import { type Combine, foldAggregate } from "./fold.js";

type Numeric = number | bigint;
type Add = (sum: Numeric, value: Numeric) => Numeric;

const sumOverflow = () =>
  userError(
    "sum-overflow",
    "The sum of a long column passed 2^63.",
    "Sum a double() column, or divide the values before summing.",
  );

const notExact = () =>
  userError(
    "sum-not-exact",
    "The sum of integers in a json column passed 2^53, beyond which a number would be rounded.",
    "Declare the column as long().",
  );

/** Exact, in bigint beyond 2^53 (DATA.md section 3). */
const addLongs: Add = (sum, value) => {
  if (typeof sum === "number" && typeof value === "number") {
    const fast = sum + value;
    if (Number.isSafeInteger(fast)) return fast;
  }
  const exact = BigInt(sum) + BigInt(value);
  if (exact > LONG_MAX || exact < LONG_MIN) throw sumOverflow();
  return longValue(exact);
};

const addDoubles: Add = (sum, value) => (sum as number) + Number(value);

/** NULL of no values. Doubles are folded in arrival order, so that batching never changes an answer. */
export function sumAggregate(value: Reader, type: DataType): AggregateFunction {
  if (type === "json") return jsonSumAggregate(value);
  const add = (type === "double" ? addDoubles : addLongs) as Combine;
  return foldAggregate(value, add, (first) => add(0, first));
}

/** Integers exactly; as double from the first number on that is none, which the second slot remembers (DATA.md section 3). */
function jsonSumAggregate(value: Reader): AggregateFunction {
  const accumulate = (state: unknown[], at: number, next: unknown, isDouble: boolean) => {
    if (next === null) return;
    const sum = (state[at] ?? 0) as Numeric;
    if (isDouble || state[at + 1] === true) {
      state[at] = addDoubles(Number(sum), next as Numeric);
      state[at + 1] = true;
    } else {
      const total = addLongs(sum, next as Numeric);
      if (typeof total === "bigint") throw notExact();
      state[at] = total;
    }
  };
  return {
    slots: 2,
    init: (state, at) => {
      state[at] = null;
      state[at + 1] = false;
    },
    over(batch) {
      const valueAt = value(batch);
      return (state, at, row) => {
        const next = valueAt(row);
        if (next === null || isIntegral(next)) accumulate(state, at, next, false);
        else accumulate(state, at, toDouble(next), true);
      };
    },
    merge: (state, at, other) => accumulate(state, at, other[at], other[at + 1] === true),
    finish: (state, at) => state[at],
  };
}
