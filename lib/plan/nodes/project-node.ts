import { userError } from "../../errors.js";
import type { Expression } from "../expression.js";
import type { FunctionRef, LogicalNode, Projection, ProjectNode } from "../logical-plan.js";
import { makeSchema } from "../make-schema.js";
import { type Resolved, resolveExpression } from "../resolve.js";
import type { DataType, Schema } from "../schema.js";

/** A column to compute; `type` must be given for a function and is resolved for an expression. */
export interface ProjectionInput {
  readonly name: string;
  readonly value: Expression | FunctionRef;
  readonly type?: DataType;
}

export const isFunctionRef = (value: Expression | FunctionRef): value is FunctionRef => "function" in value;

export function resolveProjection(
  input: ProjectionInput,
  schema: Schema,
): { readonly projection: Projection; readonly resolved: Resolved } {
  const resolved = isFunctionRef(input.value)
    ? { type: input.type ?? "json", nullable: true }
    : resolveExpression(input.value, schema);
  return {
    projection: Object.freeze({ name: input.name, value: Object.freeze(input.value), type: resolved.type }),
    resolved,
  };
}

const isWindowOf = ({ value }: Projection): boolean =>
  !isFunctionRef(value) && value.kind === "call" && value.fn === "windowOf";

/** select, withColumn, rename and drop: the columns of the output, all of them, in order. @throws `multiple-windows` */
export function projectNode(input: LogicalNode, columns: readonly ProjectionInput[]): ProjectNode {
  const resolved = columns.map((column) => resolveProjection(column, input.schema));
  if (resolved.filter(({ projection }) => isWindowOf(projection)).length > 1) throw multipleWindows();
  return Object.freeze({
    kind: "project",
    input,
    columns: Object.freeze(resolved.map(({ projection }) => projection)),
    schema: makeSchema(resolved.map(({ projection, resolved }) => ({ name: projection.name, ...resolved }))),
  });
}

export const multipleWindows = () =>
  userError(
    "multiple-windows",
    "Several windows in one grouping or projection would multiply the rows.",
    "Keep one window, and put the other in a query or an aggregation of its own.",
  );
