import type { Expression, FunctionName } from "./expression.js";

interface SidedColumn {
  readonly name: string;
  readonly side: "left" | "right";
}

/** Functions that may be true, or not NULL, of a NULL argument. */
const ACCEPT_NULL: ReadonlySet<FunctionName> = new Set([
  "and",
  "or",
  "coalesce",
  "caseWhen",
  "isNull",
  "isNotNull",
  "isIn",
  "eqNullSafe",
]);

/** Columns of which a NULL makes some conjunct not true: rows without them match nothing (SEMANTICS F8). Each once, in order. */
export function nullRejectedColumns(conjuncts: readonly Expression[]): readonly SidedColumn[] {
  const found = new Map<string, SidedColumn>();
  const visit = (expression: Expression): void => {
    if (expression.kind === "column" && expression.side !== undefined) {
      const { name, side } = expression;
      found.set(`${side}.${name}`, { name, side });
    }
    if (expression.kind === "call" && !ACCEPT_NULL.has(expression.fn)) expression.args.forEach(visit);
  };
  conjuncts.forEach(visit);
  return [...found.values()];
}
