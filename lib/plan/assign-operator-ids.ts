import { userError } from "../errors.js";
import type { LogicalNode } from "./logical-plan.js";
import { mapOperators } from "./map-operators.js";
import { feedingSources, feedText } from "./operator-feed.js";
import { hashOf, isImplicitId } from "./operator-id.js";
import { isKind, isStateful, type NodeOf, nodesUpwards, type StatefulPlanNode } from "./walk.js";

/**
 * Settles implicit ids. One that is alone of its kind and keys keeps `kind:hash of the keys`; equals are told apart by what feeds them,
 * never by position: `kind:hash.hash of the feed`. Two that do the same with the same rows always hold the same state, so an ordinal does.
 * @throws `operators-alike` where nothing but user functions tells two apart
 */
export function assignOperatorIds(plan: LogicalNode): LogicalNode {
  const equals = new Map<string, StatefulPlanNode[]>();
  for (const node of nodesUpwards(plan))
    if (isStateful(node) && isImplicitId(node.operatorId))
      equals.set(node.operatorId, [...(equals.get(node.operatorId) ?? []), node]);
  for (const nodes of equals.values()) requireTold(nodes, alike);
  requireTold(nodesUpwards(plan).filter(isKind("withWatermark")), watermarksAlike);
  const copies = new Map<string, number>();
  return mapOperators(plan, (node) => {
    const feeds = new Set(equals.get(node.operatorId)?.map((equal) => feedText(equal)));
    const told = feeds.size > 1 ? `${node.operatorId}.${hashOf(feedText(node))}` : node.operatorId;
    const ordinal = (copies.get(told) ?? 0) + 1;
    copies.set(told, ordinal);
    const id = ordinal === 1 ? told : `${told}-${ordinal}`;
    return id === node.operatorId ? node : Object.freeze({ ...node, operatorId: id });
  });
}

function requireTold<N extends LogicalNode>(nodes: readonly N[], refusal: (node: N) => Error): void {
  const functionsOf = new Map<string, string>();
  for (const node of nodes) {
    const feed = feedText(node);
    const functions = feedText(node, (ref) => ref.function);
    if ((functionsOf.get(feed) ?? functions) !== functions) throw refusal(node);
    functionsOf.set(feed, functions);
  }
}

const alike = (node: StatefulPlanNode) =>
  userError(
    "operators-alike",
    `Two operators (${node.operatorId}, fed by ${feedingSources(node).join(", ")}) differ in user functions only, which cannot tell their state apart.`,
    'Give the newer one an id, as in agg({ … }, { id: "web" }) or dropDuplicates(["key"], { id: "web" }); one that has a checkpoint goes on unnamed.',
  );

const watermarksAlike = ({ column, input }: NodeOf<"withWatermark">) =>
  userError(
    "operators-alike",
    `Two calls of withWatermark("${column}") over ${feedingSources(input).join(", ")} differ in user functions only, which cannot tell what they have seen apart.`,
    "Call withWatermark() once, before the branches part.",
  );
