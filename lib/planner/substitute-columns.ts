import type { Expression } from "../plan/expression.js";
import type { Projection } from "../plan/logical-plan.js";
import { visitColumns } from "../plan/visit-expression.js";

export function columnsOf(expression: Expression): ReadonlySet<string> {
  const names = new Set<string>();
  visitColumns(expression, ({ name }) => names.add(name));
  return names;
}

/**
 * The expression over the input of a projection, its columns replaced by what defines them; null if one is defined by a
 * function, by a window (which may repeat rows), or not at all.
 */
export function substitute(expression: Expression, definitions: readonly Projection[]): Expression | null {
  if (expression.kind === "call") {
    const args = expression.args.map((argument) => substitute(argument, definitions));
    return args.includes(null) ? null : { ...expression, args: args as Expression[] };
  }
  if (expression.kind !== "column") return expression;
  const value = definitions.find((definition) => definition.name === expression.name)?.value;
  if (value === undefined || "function" in value || readsWindow(value)) return null;
  const { path = [] } = expression;
  if (path.length === 0) return value;
  return value.kind === "column" ? { ...value, path: [...(value.path ?? []), ...path] } : null;
}

const readsWindow = (value: Expression): boolean =>
  value.kind === "call" && (value.fn === "windowOf" || value.args.some(readsWindow));
