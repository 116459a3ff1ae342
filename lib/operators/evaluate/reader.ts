import type { ColumnBatch } from "../../columns/column-batch.js";
import { ValueVector } from "../../columns/value-vector.js";
import type { Vector } from "../../columns/vector.js";
import type { Expression } from "../../plan/expression.js";
import type { Scope } from "../../plan/resolve.js";
import { compileExpression } from "./evaluate.js";
import type { Evaluator } from "./evaluator.js";

/** A value of every row: bound to a batch, then asked by row. NULL is null. */
export type Reader = (batch: ColumnBatch) => (row: number) => unknown;

export const columnReader =
  (name: string): Reader =>
  (batch) => {
    const vector = batch.column(name);
    return (row) => vector.get(row);
  };

/** What computes with a few columns and keeps no row; it is shown one after the other. */
export const cursorReader =
  (evaluate: Evaluator): Reader =>
  (batch) => {
    const show = batch.cursor();
    return (row) => evaluate(show(row));
  };

/** What takes the row as it is, as user functions do. */
export const rowReader =
  (compute: Evaluator): Reader =>
  (batch) =>
  (row) =>
    compute(batch.row(row));

const isPlain = (expression: Expression): expression is Extract<Expression, { kind: "column" }> =>
  expression.kind === "column" && (expression.path ?? []).length === 0;

/** A plain column is read from its vector; anything else computes. */
export const compileReader = (expression: Expression, scope: Scope): Reader =>
  isPlain(expression) ? columnReader(expression.name) : cursorReader(compileExpression(expression, scope));

/** As a column of the selected rows: a plain column is the vector that there is. */
export function compileVector(expression: Expression, scope: Scope): (batch: ColumnBatch) => Vector {
  if (isPlain(expression)) return (batch) => batch.column(expression.name);
  return vectorOf(compileReader(expression, scope));
}

/** Computed now, once for each selected row. */
export const vectorOf =
  (reader: Reader) =>
  (batch: ColumnBatch): Vector => {
    const valueAt = reader(batch);
    const values: unknown[] = [];
    for (const row of batch.selection) values[row] = valueAt(row);
    return new ValueVector(values);
  };
