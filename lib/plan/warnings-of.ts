import { conditionOf } from "./checks/check-join.js";
import type { KafkaSourceConnector } from "./connectors/source-connector.js";
import { unboundedSides } from "./join-support.js";
import type { LogicalNode, OutputMode, SessionSpec, WatermarkPolicy } from "./logical-plan.js";
import { visitColumns } from "./visit-expression.js";
import { isStateful, type NodeOf, nodesUpwards } from "./walk.js";
import { type PlanWarning, planWarning } from "./warnings.js";
import { type WatermarkedColumn, watermarkedColumns } from "./watermarked-columns.js";

/** What Spark accepts but regrets (DESIGN.md section 1), in plan order. */
export function warningsOf(
  plan: LogicalNode,
  outputMode: OutputMode,
  watermarkPolicy: WatermarkPolicy = "min",
): readonly PlanWarning[] {
  const nodes = nodesUpwards(plan);
  return Object.freeze([
    ...nodes.flatMap((node) => ofNode(node, outputMode)),
    ...unusedWatermarks(nodes, outputMode),
    ...ofPolicy(nodes, watermarkPolicy),
  ]);
}

function ofPolicy(nodes: readonly LogicalNode[], policy: WatermarkPolicy): readonly PlanWarning[] {
  const inputs = nodes.filter(({ kind }) => kind === "withWatermark").length;
  return policy === "max" && inputs > 1 ? [planWarning("policy-max", String(inputs))] : [];
}

function ofNode(node: LogicalNode, outputMode: OutputMode): readonly PlanWarning[] {
  switch (node.kind) {
    case "aggregate":
      return ofAggregate(node, outputMode);
    case "deduplicate":
      return ofDeduplicate(node);
    case "join":
      return ofJoin(node);
    case "filter":
      return outputMode === "update" ? ofHaving(node) : [];
    case "withWatermark":
      return nodesUpwards(node).flatMap((below) =>
        below.kind === "source" && waitsForNobody(below)
          ? [planWarning("kafka-partitions-unknown", below.descriptor.topic)]
          : [],
      );
    case "transformWithState":
      return node.timeMode === "eventTime" && watermarkedColumns(node.input).length === 0
        ? [planWarning("timers-without-watermark", node.operatorId)]
        : [];
    default:
      return [];
  }
}

function ofAggregate(node: NodeOf<"aggregate">, outputMode: OutputMode): readonly PlanWarning[] {
  const timed = watermarkedColumns(node).length > 0;
  const distinct = node.aggregates.filter(({ fn }) => fn === "countDistinct");
  return [
    ...(outputMode === "update" && !timed ? [planWarning("aggregate-unbounded", node.operatorId)] : []),
    ...(outputMode === "complete" && !timed ? [planWarning("complete-without-watermark", node.operatorId)] : []),
    ...(outputMode === "complete" && timed ? [planWarning("complete-with-watermark", node.operatorId)] : []),
    ...distinct.map(({ as }) => planWarning("distinct-state", as)),
    ...(node.window?.kind === "session" && opensNothing(node.window.gap)
      ? [planWarning("session-gap-ignored", node.operatorId)]
      : []),
  ];
}

/** SQL's HAVING: a filter over what an aggregation computes, which changes from batch to batch. */
function ofHaving({ predicate, input }: NodeOf<"filter">): readonly PlanWarning[] {
  const below = aggregateBelow(input);
  if (below === null) return [];
  const computed = below.aggregates.map(({ as }) => as);
  const reads: string[] = [];
  if (!("function" in predicate)) visitColumns(predicate, ({ name }) => reads.push(name));
  return "function" in predicate || reads.some((name) => computed.includes(name))
    ? [planWarning("having-stale-rows", below.operatorId)]
    : [];
}

const aggregateBelow = (node: LogicalNode): NodeOf<"aggregate"> | null =>
  node.kind === "aggregate"
    ? node
    : node.kind === "filter" || node.kind === "project"
      ? aggregateBelow(node.input)
      : null;

/** Spark's rule by default, because the query does not say how many partitions there are. */
const waitsForNobody = (
  node: NodeOf<"source">,
): node is NodeOf<"source"> & { readonly descriptor: KafkaSourceConnector } =>
  node.descriptor.kind === "kafka" && node.descriptor.across === undefined && node.descriptor.partitions === undefined;

const opensNothing = (gap: SessionSpec["gap"]): boolean => gap === null || (typeof gap === "number" && gap <= 0);

function ofDeduplicate(node: NodeOf<"deduplicate">): readonly PlanWarning[] {
  const keyed = watermarkedColumns(node.input).some(({ name }) => node.keys.includes(name));
  return node.withinWatermark || keyed ? [] : [planWarning("dedup-unbounded", node.operatorId)];
}

function ofJoin(node: NodeOf<"join">): readonly PlanWarning[] {
  if (!isStateful(node)) return [];
  return unboundedSides(conditionOf(node)).map((side) =>
    node.type === "fullOuter"
      ? planWarning("join-side-unpadded", side)
      : planWarning("join-unbounded", `its ${side} side`),
  );
}

/** An operator uses the event times of its input; a processor those too, whatever it does with them. */
function unusedWatermarks(nodes: readonly LogicalNode[], outputMode: OutputMode): readonly PlanWarning[] {
  return nodes
    .filter((node) => node.kind === "withWatermark")
    .filter((mark) => !nodes.some((node) => isStateful(node) && nodesUpwards(node).includes(mark) && uses(node)))
    .filter(() => outputMode !== "complete")
    .map(({ column }) => planWarning("watermark-unused", column));
}

function uses(node: LogicalNode): boolean {
  const timed = (input: LogicalNode): readonly WatermarkedColumn[] => watermarkedColumns(input);
  switch (node.kind) {
    case "aggregate":
      return timed(node).length > 0;
    case "join":
      return timed(node.left).length > 0 || timed(node.right).length > 0;
    case "deduplicate":
    case "transformWithState":
    case "groupsWithState":
      return timed(node.input).length > 0;
    default:
      return false;
  }
}
