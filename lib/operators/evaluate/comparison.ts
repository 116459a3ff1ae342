import { compareValues, equalValues } from "../ordering.js";
import { binary, type CallCompiler } from "./apply.js";

const COMPARISONS = {
  eq: equalValues,
  ne: (a: unknown, b: unknown) => !equalValues(a, b),
  lt: (a: unknown, b: unknown) => compareValues(a, b) < 0,
  le: (a: unknown, b: unknown) => compareValues(a, b) <= 0,
  gt: (a: unknown, b: unknown) => compareValues(a, b) > 0,
  ge: (a: unknown, b: unknown) => compareValues(a, b) >= 0,
} as const;

export const compileComparison: CallCompiler = (call, scope) => {
  if (call.fn !== "eqNullSafe") return binary(call, scope, COMPARISONS[call.fn as keyof typeof COMPARISONS]);
  const first = scope.compile(call.args[0]!);
  const second = scope.compile(call.args[1]!);
  return (row, right) => {
    const a = first(row, right);
    const b = second(row, right);
    return a === null || b === null ? a === b : equalValues(a, b);
  };
};
