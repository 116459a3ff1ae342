import { internalError } from "../../errors.js";
import type { Expression } from "../../plan/expression.js";
import { resolveExpression, type Scope } from "../../plan/resolve.js";
import { compileCall } from "./call.js";
import type { Evaluator } from "./evaluator.js";

export type { Evaluator } from "./evaluator.js";

/**
 * An expression as a closure, compiled once per plan. SQL's NULL logic; ANSI: overflow, division by zero and a value that
 * cannot be cast are errors of the query, not NULLs. A scope with two sides gives an evaluator of (left, right).
 */
export function compileExpression(expression: Expression, scope: Scope): Evaluator {
  switch (expression.kind) {
    case "column":
      return columnReader(expression);
    case "literal": {
      const { value, type } = expression;
      const constant = type === "long" && typeof value === "string" ? BigInt(value) : value;
      return () => constant;
    }
    case "interval":
      throw internalError("interval-alone", "An interval was compiled outside add and sub.");
    case "call":
      return compileCall(expression, {
        compile: (argument) => compileExpression(argument, scope),
        typeOf: (argument) => resolveExpression(argument, scope).type,
      });
  }
}

/** A condition holds only if it is true: NULL is not (SQL). */
export function compileCondition(expression: Expression, scope: Scope): (row: Evaluated, right?: Evaluated) => boolean {
  const evaluate = compileExpression(expression, scope);
  return (row, right) => evaluate(row, right) === true;
}

type Evaluated = Parameters<Evaluator>[0];

function columnReader({ name, path = [], side }: Extract<Expression, { kind: "column" }>): Evaluator {
  if (side === "right") {
    if (path.length === 0) return (_, right) => right![name] ?? null;
    return (_, right) => follow(right![name], path);
  }
  if (path.length === 0) return (row) => row[name] ?? null;
  return (row) => follow(row[name], path);
}

function follow(value: unknown, path: readonly string[]): unknown {
  let reached = value;
  for (const member of path) {
    if (typeof reached !== "object" || reached === null || !Object.hasOwn(reached, member)) return null;
    reached = (reached as Record<string, unknown>)[member];
  }
  return reached ?? null;
}
