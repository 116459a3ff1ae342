import type { LogicalNode, SortNode } from "../logical-plan.js";
import { requireField } from "../resolve.js";

export function sortNode(input: LogicalNode, columns: SortNode["columns"]): SortNode {
  for (const { name } of columns) requireField(input.schema, name);
  return Object.freeze({
    kind: "sort",
    input,
    columns: Object.freeze(columns.map((column) => Object.freeze({ ...column }))),
    schema: input.schema,
  });
}
