import type { LogicalNode, SourceNode } from "../plan/logical-plan.js";
import { inputsOf } from "../plan/walk.js";

/** Source nodes, left first; those of a self join or self union stand twice, under one name. */
export const sourcesOf = (node: LogicalNode): readonly SourceNode[] =>
  node.kind === "source" ? [node] : inputsOf(node).flatMap(sourcesOf);
