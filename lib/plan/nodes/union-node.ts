import { userError } from "../../errors.js";
import { columnNames, commonType, fieldOf, sameType } from "../data-type.js";
import type { LogicalNode, UnionNode } from "../logical-plan.js";
import { makeSchema } from "../make-schema.js";
import type { Schema } from "../schema.js";
import { projectNode } from "./project-node.js";

const differ = (message: string) =>
  userError(
    "union-columns-differ",
    message,
    "Bring both inputs to the same columns with select(), rename() or cast() first.",
  );

/** Both inputs by name, in the order and under the types of the first; int, long and double widen. @throws `union-columns-differ` */
export function unionNode(first: LogicalNode, second: LogicalNode): UnionNode {
  const target = unionSchema(first.schema, second.schema);
  return Object.freeze({
    kind: "union",
    inputs: Object.freeze([align(first, target), align(second, target)] as const),
    schema: target,
  });
}

function unionSchema(first: Schema, second: Schema): Schema {
  if (first.open || second.open) return makeSchema(first.fields, true);
  const extra = columnNames(second).find((name) => fieldOf(first, name) === undefined);
  if (extra !== undefined) throw differ(`The column '${extra}' is only in the second input of the union.`);
  return makeSchema(
    first.fields.map((field) => {
      const other = fieldOf(second, field.name);
      if (other === undefined) throw differ(`The column '${field.name}' is only in the first input of the union.`);
      const type = commonType(field.type, other.type);
      if (type === null) throw differ(`The column '${field.name}' has another type in each input of the union.`);
      return { name: field.name, type, nullable: field.nullable || other.nullable };
    }),
  );
}

function align(input: LogicalNode, target: Schema): LogicalNode {
  if (target.open) return input;
  const same =
    input.schema.fields.length === target.fields.length &&
    target.fields.every((field, i) => {
      const own = input.schema.fields[i]!;
      return own.name === field.name && sameType(own.type, field.type);
    });
  if (same) return input;
  return projectNode(
    input,
    target.fields.map(({ name, type }) => {
      const column = { kind: "column", name } as const;
      const own = fieldOf(input.schema, name)!;
      return {
        name,
        value: sameType(own.type, type)
          ? column
          : ({ kind: "call", fn: "cast", args: [column], options: { type } } as const),
      };
    }),
  );
}
