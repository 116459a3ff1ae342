import type { LogicalNode } from "./logical-plan.js";

export function inputsOf(node: LogicalNode): readonly LogicalNode[] {
  switch (node.kind) {
    case "source":
    case "static":
      return [];
    case "union":
      return node.inputs;
    case "join":
      return [node.left, node.right];
    default:
      return [node.input];
  }
}

/** Every node from the sources up, left before right; a node that stands twice in the plan comes twice. */
export function nodesUpwards(plan: LogicalNode): readonly LogicalNode[] {
  return [...inputsOf(plan).flatMap(nodesUpwards), plan];
}

/** Strictly below. */
export const nodesBelow = (node: LogicalNode): readonly LogicalNode[] => inputsOf(node).flatMap(nodesUpwards);

/** Fed by a stream; a plan over static tables alone is not. */
export const isStreaming = (node: LogicalNode): boolean => nodesUpwards(node).some(({ kind }) => kind === "source");

export type NodeOf<Kind extends LogicalNode["kind"]> = Extract<LogicalNode, { readonly kind: Kind }>;

export const isKind =
  <Kind extends LogicalNode["kind"]>(...kinds: readonly Kind[]) =>
  (node: LogicalNode): node is NodeOf<Kind> =>
    (kinds as readonly string[]).includes(node.kind);

export type StatefulPlanNode = NodeOf<
  "aggregate" | "deduplicate" | "join" | "limit" | "transformWithState" | "groupsWithState"
>;

/** Keeps state from batch to batch: a join does only between two streams, a limit or sort of a complete result does not. */
export function isStateful(node: LogicalNode): node is StatefulPlanNode {
  if (node.kind === "join") return isStreaming(node.left) && isStreaming(node.right);
  return isKind("aggregate", "deduplicate", "limit", "transformWithState", "groupsWithState")(node);
}
