import type { LogicalNode } from "./logical-plan.js";
import { isStateful, type StatefulPlanNode } from "./walk.js";

/** The plan with `change` applied to every operator that keeps state, from the sources up, left before right. What stays is the same object. */
export function mapOperators(plan: LogicalNode, change: (node: StatefulPlanNode) => LogicalNode): LogicalNode {
  const visit = (node: LogicalNode): LogicalNode => {
    const rebuilt = mapInputs(node, visit);
    return isStateful(rebuilt) ? change(rebuilt) : rebuilt;
  };
  return visit(plan);
}

/** The node over other inputs; the same object where all stay. */
export function mapInputs(node: LogicalNode, change: (input: LogicalNode) => LogicalNode): LogicalNode {
  switch (node.kind) {
    case "source":
    case "static":
      return node;
    case "union": {
      const inputs = [change(node.inputs[0]), change(node.inputs[1])] as const;
      const same = inputs[0] === node.inputs[0] && inputs[1] === node.inputs[1];
      return same ? node : Object.freeze({ ...node, inputs: Object.freeze(inputs) });
    }
    case "join": {
      const left = change(node.left);
      const right = change(node.right);
      return left === node.left && right === node.right ? node : Object.freeze({ ...node, left, right });
    }
    default: {
      const input = change(node.input);
      return input === node.input ? node : Object.freeze({ ...node, input });
    }
  }
}
