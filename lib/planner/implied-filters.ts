import { conditionOf } from "../plan/checks/check-join.js";
import type { Expression } from "../plan/expression.js";
import { implicitFilters } from "../plan/join-condition.js";
import type { JoinNode } from "../plan/logical-plan.js";
import { isStreaming } from "../plan/walk.js";

/** Filters on either input that a join implies (SEMANTICS F8). A static table filters itself when it is indexed. */
export function impliedByJoin(node: JoinNode): {
  readonly left: readonly Expression[];
  readonly right: readonly Expression[];
} {
  const condition = conditionOf(node);
  return {
    left: isStreaming(node.left) ? implicitFilters(condition, "left") : [],
    right: isStreaming(node.right) ? implicitFilters(condition, "right") : [],
  };
}
