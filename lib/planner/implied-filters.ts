import { eventTimeOf } from "../plan/event-time.js";
import type { Expression } from "../plan/expression.js";
import { analyseJoin, implicitFilters, type JoinCondition } from "../plan/join-condition.js";
import type { JoinNode } from "../plan/logical-plan.js";
import { isStreaming } from "../plan/walk.js";

/** What a join's condition means. A static table has no event time. */
export const conditionOf = (node: JoinNode): JoinCondition =>
  analyseJoin(
    node.type,
    node.on,
    { schema: node.left.schema, eventTime: eventTimeOf(node.left) },
    { schema: node.right.schema, eventTime: isStreaming(node.right) ? eventTimeOf(node.right) : undefined },
  );

/** Filters on either input that a join implies (SEMANTICS F8). A static table filters itself when it is indexed. */
export function impliedByJoin(node: JoinNode): {
  readonly left: readonly Expression[];
  readonly right: readonly Expression[];
} {
  const condition = conditionOf(node);
  return {
    left: implicitFilters(condition, "left"),
    right: isStreaming(node.right) ? implicitFilters(condition, "right") : [],
  };
}
