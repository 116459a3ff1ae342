import { expect, it } from "vitest";
import { compileExpression } from "../../../lib/operators/evaluate/evaluate.js";
import type { Expression, FunctionName } from "../../../lib/plan/expression.js";

/** A call of every kind of function, with the value that tells it from its neighbours. */
const CASES: readonly [FunctionName, readonly Expression[], unknown][] = [
  ["sub", [long(7), long(2)], 5],
  ["lt", [long(7), long(2)], false],
  ["not", [{ kind: "literal", value: true, type: "boolean" }], false],
  ["upper", [text("a")], "A"],
  ["coalesce", [{ kind: "literal", value: null, type: "json" }, long(3)], 3],
  ["toTimestamp", [text("1970-01-01T00:00:01Z")], 1000],
  ["year", [{ kind: "literal", value: 0, type: "timestamp" }], 1970],
];

function long(value: number): Expression {
  return { kind: "literal", value, type: "long" };
}

function text(value: string): Expression {
  return { kind: "literal", value, type: "string" };
}

it.each(CASES)("finds the compiler of %s", (fn, args, expected) => {
  const evaluate = compileExpression({ kind: "call", fn, args: [...args] }, { fields: [] });
  expect(evaluate({})).toBe(expected);
});
