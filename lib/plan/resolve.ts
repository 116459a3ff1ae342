import { userError } from "../errors.js";
import { closestName } from "./closest-name.js";
import { columnNames, fieldOf, typeText } from "./data-type.js";
import type { Expression } from "./expression.js";
import { resolveCall } from "./resolve-call.js";
import type { DataType, Field, Schema } from "./schema.js";

/** What an expression is, once its columns are known. */
export interface Resolved {
  readonly type: DataType;
  readonly nullable: boolean;
}

/** Where columns are looked up: one row, or in a join's `on` the row of either side. */
export type Scope = Schema | { readonly left: Schema; readonly right: Schema };

/**
 * Type and nullability of an expression over a scope.
 * @throws `unknown-column`, `ambiguous-column`, `type-mismatch`
 */
export function resolveExpression(expression: Expression, scope: Scope): Resolved {
  switch (expression.kind) {
    case "literal":
      return { type: expression.type, nullable: expression.value === null };
    case "interval":
      throw userError(
        "type-mismatch",
        `The interval '${expression.text}' stands alone.`,
        "Add it to a timestamp or subtract it from one.",
      );
    case "column":
      return resolveColumn(expression, scope);
    case "call":
      return resolveCall(expression, (argument) => resolveExpression(argument, scope));
  }
}

type ColumnExpression = Extract<Expression, { kind: "column" }>;

function resolveColumn(column: ColumnExpression, scope: Scope): Resolved {
  const { field, schema } = lookUp(column, scope);
  if (field === undefined) {
    if (schema.open) return { type: "json", nullable: true };
    throw unknownColumn(column.name, schema);
  }
  const { type, nullable } = field;
  return (column.path ?? []).reduce<Resolved>((resolved, member) => resolveMember(resolved, member, column.name), {
    type,
    nullable,
  });
}

function lookUp(
  column: ColumnExpression,
  scope: Scope,
): { readonly field: Field | undefined; readonly schema: Schema } {
  if ("fields" in scope) return { field: fieldOf(scope, column.name), schema: scope };
  if (column.side !== undefined) return { field: fieldOf(scope[column.side], column.name), schema: scope[column.side] };
  throw userError(
    "ambiguous-column",
    `In a join's condition the column '${column.name}' does not say its side.`,
    "Write the condition as (left, right) => left.a.eq(right.b).",
  );
}

function resolveMember(parent: Resolved, path: string, name: string): Resolved {
  if (parent.type === "window" && (path === "start" || path === "end"))
    return { type: "timestamp", nullable: parent.nullable };
  if (parent.type === "json") return { type: "json", nullable: true };
  const field =
    typeof parent.type === "object" && "struct" in parent.type
      ? parent.type.struct.find((member) => member.name === path)
      : undefined;
  if (field !== undefined) return { type: field.type, nullable: parent.nullable || field.nullable };
  throw userError(
    "unknown-column",
    `The column '${name}' of type ${typeText(parent.type)} has no field '${path}'.`,
    "Look at the schema that explain() prints.",
  );
}

function unknownColumn(name: string, schema: Schema) {
  const known = columnNames(schema);
  const meant = closestName(name, known);
  return userError(
    "unknown-column",
    `There is no column '${name}'${meant === undefined ? "." : `; did you mean '${meant}'?`}`,
    `The columns here are ${known.map((column) => `'${column}'`).join(", ") || "none"}.`,
  );
}

/** The field of a name, a nullable `json` one where the schema is open. @throws `unknown-column` */
export function requireField(schema: Schema, name: string): Field {
  const field = fieldOf(schema, name);
  if (field !== undefined) return field;
  if (schema.open) return { name, type: "json", nullable: true };
  throw unknownColumn(name, schema);
}
