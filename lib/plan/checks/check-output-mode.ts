import type { LogicalNode, OutputMode } from "../logical-plan.js";
import { refusal } from "../refusals.js";
import { keepsState, nodesBelow, nodesUpwards } from "../walk.js";
import type { Check } from "./check.js";

export const checkComplete: Check = (node, { outputMode, plan }) =>
  node === plan && outputMode === "complete" && !nodesUpwards(plan).some(({ kind }) => kind === "aggregate")
    ? refusal("complete-without-aggregation")
    : undefined;

/** Whether rows that it emits may be older than the watermark (SEMANTICS H1). */
const emitsOldRows = (node: LogicalNode, outputMode: OutputMode): boolean =>
  (node.kind === "aggregate" && outputMode !== "append") ||
  (node.kind === "groupsWithState" && node.timeMode === "eventTime") ||
  (node.kind === "transformWithState" && node.outputMode !== "append");

/** SEMANTICS H1. */
export const checkChain: Check = (node, { outputMode }) => {
  if (!keepsState(node, outputMode)) return undefined;
  const old = nodesBelow(node).find((below) => emitsOldRows(below, outputMode));
  return old === undefined ? undefined : refusal("chain-late-rows", `${old.kind} below ${node.kind}`);
};

export const checkSort: Check = (node, { outputMode }) => {
  if (node.kind !== "sort") return undefined;
  const aggregated = nodesBelow(node).some(({ kind }) => kind === "aggregate");
  return aggregated && outputMode === "complete" ? undefined : refusal("sort-unsupported");
};

export const checkLimit: Check = (node, { outputMode }) =>
  node.kind === "limit" && outputMode === "update" ? refusal("limit-output-mode") : undefined;

/** A processor emits under the mode it declares; above an aggregation its input would be updates (SEMANTICS J). */
export const checkStatefulMode: Check = (node, { outputMode, plan }) => {
  if (node.kind !== "groupsWithState" && node.kind !== "transformWithState") return undefined;
  const aggregated = nodesUpwards(plan).some(({ kind }) => kind === "aggregate");
  if (aggregated && node.outputMode === "append" && outputMode === "append") return undefined;
  return !aggregated && node.outputMode === outputMode
    ? undefined
    : refusal(
        "stateful-output-mode",
        `${node.operatorId} is declared for ${node.outputMode}, the query for ${outputMode}`,
      );
};
