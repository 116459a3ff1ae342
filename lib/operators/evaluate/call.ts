import type { Expression, FunctionName } from "../../plan/expression.js";
import type { DataType } from "../../plan/schema.js";
import { compileArithmetic } from "./arithmetic.js";
import { compileCalendar } from "./calendar.js";
import { compileCast, toEventTime } from "./cast.js";
import { compileComparison } from "./comparison.js";
import { compileConditional } from "./conditional.js";
import type { Evaluator } from "./evaluator.js";
import { compileLogic } from "./logic.js";
import { compileText } from "./text.js";
import { compileWindow } from "./window.js";

export type Call = Extract<Expression, { kind: "call" }>;

/** What a function's compiler may ask about its arguments. */
export interface CallScope {
  compile(argument: Expression): Evaluator;
  typeOf(argument: Expression): DataType;
}

export type CallCompiler = (call: Call, scope: CallScope) => Evaluator;

const COMPILERS: Readonly<Record<FunctionName, CallCompiler>> = {
  eq: compileComparison,
  eqNullSafe: compileComparison,
  ne: compileComparison,
  lt: compileComparison,
  le: compileComparison,
  gt: compileComparison,
  ge: compileComparison,
  add: compileArithmetic,
  sub: compileArithmetic,
  mul: compileArithmetic,
  div: compileArithmetic,
  mod: compileArithmetic,
  negate: compileArithmetic,
  abs: compileArithmetic,
  round: compileArithmetic,
  floor: compileArithmetic,
  ceil: compileArithmetic,
  and: compileLogic,
  or: compileLogic,
  not: compileLogic,
  isNull: compileLogic,
  isNotNull: compileLogic,
  coalesce: compileConditional,
  caseWhen: compileConditional,
  isIn: compileConditional,
  concat: compileText,
  upper: compileText,
  lower: compileText,
  trim: compileText,
  length: compileText,
  substring: compileText,
  contains: compileText,
  startsWith: compileText,
  endsWith: compileText,
  regexpLike: compileText,
  cast: compileCast,
  dateTrunc: compileCalendar,
  year: compileCalendar,
  month: compileCalendar,
  dayOfMonth: compileCalendar,
  dayOfWeek: compileCalendar,
  hour: compileCalendar,
  minute: compileCalendar,
  second: compileCalendar,
  toTimestamp: (call, scope) => unary(call, scope, toEventTime),
  timestampSeconds: compileCalendar,
  timestampMillis: compileCalendar,
  unixMillis: compileCalendar,
  windowOf: compileWindow,
  windowTime: compileWindow,
};

export const compileCall: CallCompiler = (call, scope) => COMPILERS[call.fn](call, scope);

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
