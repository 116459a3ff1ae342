import type { LogicalNode } from "./logical-plan.js";
import { isImplicitId } from "./operator-id.js";
import { isStateful } from "./walk.js";

/**
 * Gives equal implicit ids an ordinal, from the sources up, left before right: `aggregate:1f…`, `aggregate:1f…-2` (DATA.md section 6).
 * Nodes that need no change stay the same objects.
 */
export function assignOperatorIds(plan: LogicalNode): LogicalNode {
  const seen = new Map<string, number>();
  const visit = (node: LogicalNode): LogicalNode => {
    const rebuilt = mapInputs(node, visit);
    if (!isStateful(rebuilt) || !isImplicitId(rebuilt.operatorId)) return rebuilt;
    const ordinal = (seen.get(rebuilt.operatorId) ?? 0) + 1;
    seen.set(rebuilt.operatorId, ordinal);
    return ordinal === 1 ? rebuilt : Object.freeze({ ...rebuilt, operatorId: `${rebuilt.operatorId}-${ordinal}` });
  };
  return visit(plan);
}

/** The node over other inputs; the same object where all stay. */
function mapInputs(node: LogicalNode, change: (input: LogicalNode) => LogicalNode): LogicalNode {
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
