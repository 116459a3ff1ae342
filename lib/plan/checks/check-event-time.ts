import type { LogicalNode } from "../logical-plan.js";
import { refusal } from "../refusals.js";
import { inputsOf, isStateful, nodesBelow } from "../walk.js";
import { watermarkedColumns } from "../watermarked-columns.js";
import type { Check } from "./check.js";

/** SEMANTICS A13. */
export const checkWatermarkRedefined: Check = (node, { allowMultipleStatefulOperators }) => {
  if (node.kind !== "withWatermark" || !allowMultipleStatefulOperators) return undefined;
  const below = nodesBelow(node).find(({ kind }) => kind === "withWatermark");
  return below === undefined ? undefined : refusal("watermark-redefined", `withWatermark('${node.column}')`);
};

/** An aggregation uses the event time among its keys alone, a limit none. */
const readsAllEventTime = (node: LogicalNode): boolean =>
  isStateful(node) && node.kind !== "aggregate" && node.kind !== "limit";

/** SEMANTICS H5. */
export const checkOneEventTime: Check = (node, { allowMultipleStatefulOperators }) => {
  if (!readsAllEventTime(node) || !allowMultipleStatefulOperators) return undefined;
  for (const input of inputsOf(node)) {
    const names = watermarkedColumns(input).map(({ name }) => name);
    if (names.length > 1) return refusal("multiple-event-time-columns", `${node.kind} (${names.join(", ")})`);
  }
  return undefined;
};

/** SEMANTICS E2, J5. */
export const checkNeedsWatermark: Check = (node) => {
  if (node.kind === "deduplicate" && node.withinWatermark && watermarkedColumns(node.input).length === 0)
    return refusal("dedup-without-watermark", node.operatorId);
  if (node.kind === "groupsWithState" && node.timeMode === "eventTime" && watermarkedColumns(node.input).length === 0)
    return refusal("timeout-without-watermark", node.operatorId);
  return undefined;
};
