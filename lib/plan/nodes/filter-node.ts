import { userError } from "../../errors.js";
import { typeText } from "../data-type.js";
import type { Expression } from "../expression.js";
import type { FilterNode, FunctionRef, LogicalNode } from "../logical-plan.js";
import { resolveExpression } from "../resolve.js";
import type { DataType } from "../schema.js";
import { isFunctionRef } from "./project-node.js";

/** @throws `not-a-condition` when the predicate is neither boolean nor json */
export function filterNode(input: LogicalNode, predicate: Expression | FunctionRef): FilterNode {
  if (!isFunctionRef(predicate)) requireCondition(resolveExpression(predicate, input.schema).type);
  return Object.freeze({ kind: "filter", input, predicate: Object.freeze(predicate), schema: input.schema });
}

export function requireCondition(type: DataType): void {
  if (type === "boolean" || type === "json") return;
  throw userError(
    "not-a-condition",
    `A condition is boolean, this one is ${typeText(type)}.`,
    "Compare the value with something, as in col('value').gt(5).",
  );
}
