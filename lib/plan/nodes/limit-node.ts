import { userError } from "../../errors.js";
import type { LimitNode, LogicalNode } from "../logical-plan.js";
import { operatorId } from "../operator-id.js";

/** @throws `limit-negative` */
export function limitNode(input: LogicalNode, n: number, id?: string): LimitNode {
  if (!Number.isSafeInteger(n) || n < 0) {
    throw userError("limit-negative", `A limit of ${n} has no meaning.`, "Give a whole number of zero or more.");
  }
  return Object.freeze({ kind: "limit", input, operatorId: operatorId(id, "limit", []), n, schema: input.schema });
}
