import type { LogicalNode, SourceNode } from "../logical-plan.js";
import { inputsOf, isStateful, isStreaming, nodesUpwards, type StatefulPlanNode } from "../walk.js";

/** What stands below one input of a first stateful operator, without state: one path, or several that a union has joined. */
export interface CutPoint {
  /** The highest node before the cut: its columns are what crosses. */
  readonly top: LogicalNode;
  readonly operator: StatefulPlanNode;
  /** The numbers of its paths. Paths are numbered over the plan, left first: a self join has two of one source (S1). */
  readonly inputs: readonly number[];
}

export interface Cut {
  readonly points: readonly CutPoint[];
  /** By input. */
  readonly sources: readonly SourceNode[];
  /** Nodes whose rows no stateful operator sees; they cannot be cut. */
  readonly withoutState: readonly LogicalNode[];
}

/** Each path from a source is cut just before its first stateful operator (S1). */
export function cutOf(plan: LogicalNode): Cut {
  const points: CutPoint[] = [];
  const sources: SourceNode[] = [];
  const withoutState: LogicalNode[] = [];
  const visit = (node: LogicalNode, above: StatefulPlanNode | null): void => {
    if (hasState(node)) {
      const operator = isStateful(node) ? node : null;
      for (const input of inputsOf(node)) if (isStreaming(input)) visit(input, operator);
      return;
    }
    const own = sourcesUnder(node);
    const inputs = own.map((_, at) => sources.length + at);
    sources.push(...own);
    if (above === null) withoutState.push(node);
    else points.push({ top: node, operator: above, inputs });
  };
  visit(plan, null);
  return { points, sources, withoutState };
}

export const hasState = (node: LogicalNode): boolean => nodesUpwards(node).some(isStateful);

/** The nodes that run once rows are in their partitions, from the cut up. */
export const nodesAfterCut = (plan: LogicalNode): readonly LogicalNode[] => nodesUpwards(plan).filter(hasState);

const sourcesUnder = (node: LogicalNode): readonly SourceNode[] =>
  nodesUpwards(node).filter((each) => each.kind === "source");
