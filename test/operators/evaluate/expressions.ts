import { compileExpression } from "../../../lib/operators/evaluate/evaluate.js";
import type { Expression, FunctionName } from "../../../lib/plan/expression.js";
import type { DataType, Row, Schema } from "../../../lib/plan/schema.js";

/** Short spellings for tests. */
export const col = (name: string, ...path: string[]): Expression => ({ kind: "column", name, path });
export const lit = (value: null | boolean | number | string, type: DataType): Expression => ({
  kind: "literal",
  value,
  type,
});
export const call = (fn: FunctionName, args: readonly Expression[], options?: Record<string, unknown>): Expression => ({
  kind: "call",
  fn,
  args,
  ...(options === undefined ? {} : { options }),
});

export const schema = (types: Record<string, DataType>): Schema => ({
  fields: Object.entries(types).map(([name, type]) => ({ name, type, nullable: true })),
});

/** `fn` over columns a, b, … of the given types and values. */
export function applied(
  fn: FunctionName,
  args: readonly (readonly [unknown, DataType])[],
  options?: Record<string, unknown>,
): unknown {
  const names = args.map((_, i) => String.fromCharCode(97 + i));
  const types = Object.fromEntries(names.map((name, i) => [name, args[i]![1]]));
  const row: Row = Object.fromEntries(names.map((name, i) => [name, args[i]![0]]));
  return compileExpression(
    call(
      fn,
      names.map((name) => col(name)),
      options,
    ),
    schema(types),
  )(row);
}
