import type { Expression } from "../../plan/expression.js";
import type { DataType } from "../../plan/schema.js";
import type { Evaluator } from "./evaluator.js";

export type Call = Extract<Expression, { kind: "call" }>;

/** What a function's compiler may ask about its arguments. */
export interface CallScope {
  compile(argument: Expression): Evaluator;
  typeOf(argument: Expression): DataType;
}

export type CallCompiler = (call: Call, scope: CallScope) => Evaluator;

/** A function of one value that is NULL of NULL. */
export function unary(call: Call, scope: CallScope, apply: (value: never) => unknown): Evaluator {
  const argument = scope.compile(call.args[0]!);
  const compute = apply as (value: unknown) => unknown;
  return (row, right) => {
    const value = argument(row, right);
    return value === null ? null : compute(value);
  };
}

/** A function of two values that is NULL if either is. */
export function binary(call: Call, scope: CallScope, apply: (a: never, b: never) => unknown): Evaluator {
  const first = scope.compile(call.args[0]!);
  const second = scope.compile(call.args[1]!);
  const compute = apply as (a: unknown, b: unknown) => unknown;
  return (row, right) => {
    const a = first(row, right);
    if (a === null) return null;
    const b = second(row, right);
    return b === null ? null : compute(a, b);
  };
}
