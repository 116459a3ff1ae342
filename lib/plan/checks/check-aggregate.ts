import { refusal } from "../refusals.js";
import { watermarkedColumns } from "../watermarked-columns.js";
import type { Check } from "./check.js";

/** SEMANTICS C8, D5. */
export const checkAggregate: Check = (node, { outputMode, allowMultipleStatefulOperators }) => {
  if (node.kind !== "aggregate") return undefined;
  const timed = watermarkedColumns(node);
  if (outputMode === "append" && timed.length === 0) return refusal("append-without-watermark", node.operatorId);
  if (node.window?.kind === "session") {
    if (outputMode === "update") return refusal("session-update", node.operatorId);
    if (node.keys.length === 0) return refusal("session-without-keys", node.operatorId);
  }
  if (timed.length > 1 && allowMultipleStatefulOperators) {
    return refusal("multiple-event-time-columns", `${node.operatorId} (${timed.map(({ name }) => name).join(", ")})`);
  }
  return undefined;
};
