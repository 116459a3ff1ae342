import { SOURCES } from "../connectors/catalogue.js";
import type { SinkConnector } from "../connectors/sink-connector.js";
import type { LogicalNode, OutputMode } from "../logical-plan.js";
import { cutOf, hasState, nodesAfterCut } from "../partitioning/cut.js";
import { type PartitionColumn, partitionColumnsOf } from "../partitioning/partition-columns.js";
import { chosenColumns } from "../partitioning/partitioning-of.js";
import { refusal } from "../refusals.js";
import { isKind, isStateful } from "../walk.js";
import type { Check, CheckContext } from "./check.js";

/** Whether the query can run as two stages (docs/design/partitions.md S1, S2). */
export const checkPartitions: Check = (node, context) => {
  if (node !== context.plan || context.statePartitions === 1) return undefined;
  return cutRefusal(context.plan) ?? columnsRefusal(context);
};

function cutRefusal(plan: LogicalNode) {
  const { sources, withoutState } = cutOf(plan);
  if (withoutState.length > 0)
    return refusal("partition-without-state", withoutState.map(({ kind }) => kind).join(", "));
  const source = sources.find(({ descriptor }) => !SOURCES[descriptor.kind].partitionable);
  if (source !== undefined) return refusal("partition-source", `${source.name} is ${source.descriptor.kind}`);
  const mark = nodesAfterCut(plan).find(isKind("withWatermark"));
  if (mark !== undefined && hasState(mark)) return refusal("partition-watermark", `withWatermark '${mark.column}'`);
  return undefined;
}

function columnsRefusal(context: CheckContext) {
  const { plan, partitionBy } = context;
  const after = nodesAfterCut(plan);
  const sort = after.find(isKind("sort"));
  if (sort !== undefined) return refusal("partition-keys", "orderBy() needs all rows in one place");
  const { common, inResult } = partitionColumnsOf(plan, cutOf(plan));
  if (common.length === 0) return refusal("partition-keys", after.flatMap(keyText).join("; "));
  const { chosen, unknown } = chosenColumns(common, partitionBy);
  const offered = common.map(({ name }) => name).join(", ");
  if (unknown.length > 0 || chosen.length === 0)
    return refusal("partition-by", `${unknown.join(", ") || "no column"}; the columns are ${offered}`);
  const columns = chosen.map(({ name }) => inResult.get(name)!);
  for (const sink of context.sinks) {
    const refused = sinkRefusal(sink, context.outputMode, columns, chosen);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** Rows that replace others must all come from one partition. */
function sinkRefusal(
  sink: SinkConnector,
  outputMode: OutputMode,
  inResult: readonly (readonly string[])[],
  chosen: readonly PartitionColumn[],
) {
  if (sink.kind === "delta" && outputMode === "complete")
    return refusal("partition-sink-whole", "each partition would overwrite what the others wrote");
  const key = sink.kind === "dynamodb" || sink.kind === "delta" ? (sink.key ?? []) : [];
  if (key.length === 0) return undefined;
  const missing = chosen.filter((_, at) => !inResult[at]!.some((column) => key.includes(column)));
  return missing.length === 0
    ? undefined
    : refusal("partition-sink-key", `the key (${key.join(", ")}) lacks ${missing.map(({ name }) => name).join(", ")}`);
}

/** What a stateful operator groups by, for a reader who looks for what is missing. */
function keyText(node: LogicalNode): readonly string[] {
  if (!isStateful(node)) return [];
  switch (node.kind) {
    case "aggregate": {
      const keys = [...(node.window === undefined ? [] : [node.window.as]), ...node.keys.map(({ name }) => name)];
      return [`groupBy(${keys.join(", ")})`];
    }
    case "deduplicate":
      return [`dropDuplicates(${node.keys.join(", ")})`];
    case "transformWithState":
    case "groupsWithState":
      return [`${node.kind}(${node.keys.join(", ")})`];
    case "join":
      return [`join ${node.operatorId}`];
    case "limit":
      return [`limit(${node.n})`];
  }
}
