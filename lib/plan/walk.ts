import type { LogicalNode, OutputMode } from "./logical-plan.js";

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

/** Whether a node of a kind keeps state from batch to batch: a new kind says so here, and everything else follows. */
const KEEPS_STATE = {
  source: "never",
  static: "never",
  project: "never",
  filter: "never",
  map: "never",
  flatMap: "never",
  withWatermark: "never",
  union: "never",
  sort: "never",
  aggregate: "always",
  deduplicate: "always",
  transformWithState: "always",
  groupsWithState: "always",
  join: "between streams",
  limit: "unless complete",
} as const satisfies Record<LogicalNode["kind"], "never" | "always" | "between streams" | "unless complete">;

type Stateful = { [Kind in LogicalNode["kind"]]: (typeof KEEPS_STATE)[Kind] extends "never" ? never : Kind };

export type StatefulPlanNode = NodeOf<Stateful[LogicalNode["kind"]]>;

/** Keeps state in some output mode. A join does between two streams alone. */
export const isStateful = (node: LogicalNode): node is StatefulPlanNode =>
  node.kind === "join" ? isStreaming(node.left) && isStreaming(node.right) : KEEPS_STATE[node.kind] !== "never";

/** Keeps state in this output mode: a limit cuts a complete result anew in each pass. */
export const keepsState = (node: LogicalNode, outputMode: OutputMode): node is StatefulPlanNode =>
  isStateful(node) && (KEEPS_STATE[node.kind] !== "unless complete" || outputMode !== "complete");
