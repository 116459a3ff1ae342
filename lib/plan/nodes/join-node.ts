import { userError } from "../../errors.js";
import { columnNames, fieldOf } from "../data-type.js";
import type { Expression } from "../expression.js";
import type { JoinNode, JoinType, LogicalNode } from "../logical-plan.js";
import { makeSchema, nullableFields } from "../make-schema.js";
import { operatorId } from "../operator-id.js";
import { requireClosed } from "../require-closed.js";
import { requireField, resolveExpression } from "../resolve.js";
import type { Field, Schema } from "../schema.js";
import { visitColumns } from "../visit-expression.js";
import { requireCondition } from "./filter-node.js";

export interface JoinInput {
  readonly type: JoinType;
  /** Columns carry their `side`. May be left out where `using` says all. */
  readonly on?: Expression;
  readonly using?: readonly string[];
  readonly operatorId?: string;
}

const equal = (name: string): Expression => ({
  kind: "call",
  fn: "eq",
  args: [
    { kind: "column", name, side: "left" },
    { kind: "column", name, side: "right" },
  ],
});

/**
 * Output: the `using` columns, then the rest of the left, then the rest of the right (left alone for semi and anti).
 * @throws `open-columns`, `join-condition-missing`, `unknown-column`, `duplicate-column`, `not-a-condition`
 */
export function joinNode(left: LogicalNode, right: LogicalNode, join: JoinInput): JoinNode {
  requireClosed(left.schema, "join()");
  requireClosed(right.schema, "join()");
  const using = join.using ?? [];
  for (const name of using) {
    requireField(left.schema, name);
    requireField(right.schema, name);
  }
  const conditions = [...using.map(equal), ...(join.on === undefined ? [] : [join.on])];
  if (conditions.length === 0) {
    throw userError("join-condition-missing", "The join has no condition.", "Give it `on`, `using` or both.");
  }
  const on: Expression = conditions.length === 1 ? conditions[0]! : { kind: "call", fn: "and", args: conditions };
  requireCondition(resolveExpression(on, { left: left.schema, right: right.schema }).type);
  const names: string[] = [];
  visitColumns(on, (column) => names.push(`${column.side}.${column.name}`));
  return Object.freeze({
    kind: "join",
    left,
    right,
    operatorId: operatorId(join.operatorId, "join", [...new Set(names)].sort()),
    type: join.type,
    on: Object.freeze(on),
    ...(using.length === 0 ? {} : { using: Object.freeze([...using]) }),
    schema: joinSchema(left.schema, right.schema, join.type, using),
  });
}

function joinSchema(left: Schema, right: Schema, type: JoinType, using: readonly string[]): Schema {
  if (type === "leftSemi" || type === "leftAnti") return left;
  const leftFields = type === "rightOuter" || type === "fullOuter" ? nullableFields(left) : left.fields;
  const rightFields = type === "leftOuter" || type === "fullOuter" ? nullableFields(right) : right.fields;
  const shared = using.map((name): Field => {
    const source = type === "rightOuter" ? right : left;
    const field = requireField(source, name);
    return type === "fullOuter" ? { ...field, nullable: true } : field;
  });
  const clash = columnNames(right).find((name) => !using.includes(name) && fieldOf(left, name) !== undefined);
  if (clash !== undefined) {
    throw userError(
      "duplicate-column",
      `Both sides of the join have a column '${clash}'.`,
      `Rename it on one side with rename(), or join using it.`,
    );
  }
  const others = (fields: readonly Field[]) => fields.filter((field) => !using.includes(field.name));
  return makeSchema([...shared, ...others(leftFields), ...others(rightFields)]);
}
