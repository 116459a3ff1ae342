import type { Expression } from "./expression.js";

type ColumnExpression = Extract<Expression, { kind: "column" }>;

/** Every column reference in the tree, left to right. */
export function visitColumns(expression: Expression, visit: (column: ColumnExpression) => void): void {
  if (expression.kind === "column") visit(expression);
  if (expression.kind === "call") for (const argument of expression.args) visitColumns(argument, visit);
}

/** The conjuncts of a condition: AND is split at any depth, OR is not (SEMANTICS A11). */
export function conjuncts(expression: Expression): readonly Expression[] {
  return expression.kind === "call" && expression.fn === "and" ? expression.args.flatMap(conjuncts) : [expression];
}
