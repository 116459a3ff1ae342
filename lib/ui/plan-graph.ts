import { nodeText } from "../plan/explain/node-text.js";
import type { LogicalNode } from "../plan/logical-plan.js";
import { inputsOf } from "../plan/walk.js";
import type { PlanStep } from "./messages.js";

const MAX_TEXT = 400;

/** The plan as a picture needs it: each node once, sources first, with the column that it stands in. */
export function planGraph(plan: LogicalNode): readonly PlanStep[] {
  const steps: PlanStep[] = [];
  const known = new Map<LogicalNode, PlanStep>();
  const add = (node: LogicalNode): PlanStep => {
    const before = known.get(node);
    if (before !== undefined) return before;
    const inputs = inputsOf(node).map(add);
    const step: PlanStep = {
      id: steps.length,
      kind: node.kind,
      text: cut(nodeText(node)),
      inputs: inputs.map(({ id }) => id),
      column: inputs.reduce((last, { column }) => Math.max(last, column + 1), 0),
      operatorId: "operatorId" in node ? node.operatorId : null,
      source: node.kind === "source" ? node.name : null,
    };
    steps.push(step);
    known.set(node, step);
    return step;
  };
  add(plan);
  return steps;
}

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);
