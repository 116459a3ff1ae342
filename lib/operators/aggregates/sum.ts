import { userError } from "../../errors.js";
import type { DataType } from "../../plan/schema.js";
import type { Evaluator } from "../evaluate.js";
import { exactInteger, isIntegral, LONG_MAX, LONG_MIN } from "../integers.js";
import type { Aggregate } from "./aggregate.js";

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
  return exactInteger(exact);
};

const addDoubles: Add = (sum, value) => (sum as number) + Number(value);

/** Integers exactly; as double from the first number on that is none. */
const addJsonNumbers: Add = (sum, value) => {
  const total = Number(sum) + Number(value);
  if (isIntegral(sum) && isIntegral(value) && !Number.isSafeInteger(total)) throw notExact();
  return total;
};

const adderOf = (type: DataType): Add =>
  type === "int" || type === "long" ? addLongs : type === "double" ? addDoubles : addJsonNumbers;

/** NULL of no values. Doubles are folded in arrival order, so that batching never changes an answer. */
export function sumAggregate(value: Evaluator, type: DataType): Aggregate {
  const add = adderOf(type);
  const accumulate = (state: unknown[], at: number, next: unknown) => {
    if (next === null) return;
    const sum = state[at];
    state[at] = add(sum === null ? 0 : (sum as Numeric), next as Numeric);
  };
  return {
    slots: 1,
    init: (state, at) => {
      state[at] = null;
    },
    update: (state, at, row) => accumulate(state, at, value(row)),
    merge: (state, at, other) => accumulate(state, at, other[at]),
    finish: (state, at) => state[at],
  };
}
