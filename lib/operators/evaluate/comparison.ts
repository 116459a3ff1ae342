import { compareValues, equalValues } from "../ordering.js";
import { binary, type Call, type CallCompiler, type CallScope } from "./apply.js";
import { asTime } from "./cast.js";
import type { Evaluator } from "./evaluator.js";

const COMPARISONS = {
  eq: equalValues,
  ne: (a: unknown, b: unknown) => !equalValues(a, b),
  lt: (a: unknown, b: unknown) => compareValues(a, b) < 0,
  le: (a: unknown, b: unknown) => compareValues(a, b) <= 0,
  gt: (a: unknown, b: unknown) => compareValues(a, b) > 0,
  ge: (a: unknown, b: unknown) => compareValues(a, b) >= 0,
} as const;

/** Where a json value meets a timestamp it is read as one, as withWatermark() would (DATA.md section 1): a text is above any number else. */
function timedScope({ args }: Call, scope: CallScope): CallScope {
  const types = args.map(scope.typeOf);
  if (!types.includes("timestamp") || !types.includes("json")) return scope;
  const { compile, typeOf } = scope;
  return { typeOf, compile: (argument) => (typeOf(argument) === "json" ? asTime : same)(compile(argument)) };
}

const same = (evaluate: Evaluator): Evaluator => evaluate;

export const compileComparison: CallCompiler = (call, given) => {
  const scope = timedScope(call, given);
  if (call.fn !== "eqNullSafe") return binary(call, scope, COMPARISONS[call.fn as keyof typeof COMPARISONS]);
  const first = scope.compile(call.args[0]!);
  const second = scope.compile(call.args[1]!);
  return (row, right) => {
    const a = first(row, right);
    const b = second(row, right);
    return a === null || b === null ? a === b : equalValues(a, b);
  };
};
