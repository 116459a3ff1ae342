import type { LogicalNode, WatermarkNode } from "../plan/logical-plan.js";
import { feedingSources, feedText } from "../plan/operator-feed.js";
import { hashOf } from "../plan/operator-id.js";
import { isKind, nodesUpwards } from "../plan/walk.js";

/**
 * The id of each watermark node, under which its evidence is kept: what it reads, and with which delay, so that a changed delay applies to
 * event times seen from then on and not to evidence of before (SEMANTICS I2). Of several such nodes each is told by what feeds it, for a
 * filter below decides what it sees; those that see the same get an ordinal. An id of none before starts without evidence, and holds.
 */
export function watermarkIds(plan: LogicalNode): (node: WatermarkNode) => string {
  const baseOf = (node: WatermarkNode) => `${feedingSources(node).join("+")}:${node.column}:${node.delayMs}`;
  const nodes = nodesUpwards(plan).filter(isKind("withWatermark"));
  const given = new Map<string, number>();
  return (node) => {
    const base = baseOf(node);
    const feeds = new Set(nodes.filter((other) => baseOf(other) === base).map((other) => feedText(other)));
    const id = feeds.size > 1 ? `${base}#${hashOf(feedText(node))}` : base;
    const ordinal = (given.get(id) ?? 0) + 1;
    given.set(id, ordinal);
    return ordinal === 1 ? id : `${id}#${ordinal}`;
  };
}
