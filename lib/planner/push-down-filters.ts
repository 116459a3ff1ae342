import type { Expression } from "../plan/expression.js";
import type { AggregateNode, FilterNode, LogicalNode, ProjectNode } from "../plan/logical-plan.js";
import { conjuncts } from "../plan/visit-expression.js";
import { impliedByJoin } from "./implied-filters.js";
import { columnsOf, substitute } from "./substitute-columns.js";

/** A filter that nobody wrote; what it removes is reported in the name of the operator that implies it. */
export interface ImpliedFilterNode extends FilterNode {
  readonly impliedBy?: { readonly operatorId: string; readonly reason: string };
}

type Implied = ImpliedFilterNode["impliedBy"];

/**
 * Moves filters as far down as Spark's optimizer does, because rows that they remove below a watermark do not advance it
 * (SEMANTICS A11, F8, 0.12): AND is split, OR is not; a conjunct passes a watermark whose column it does not read, a
 * projection, the keys of an aggregation, a union, and the preserved side of a join. Function predicates stay, and hold
 * back what stands above them.
 */
export function pushDownFilters(node: LogicalNode): LogicalNode {
  switch (node.kind) {
    case "source":
    case "static":
      return node;
    case "union":
      return { ...node, inputs: [pushDownFilters(node.inputs[0]), pushDownFilters(node.inputs[1])] };
    case "join": {
      const { left, right } = impliedByJoin(node);
      const sink = (side: LogicalNode, filters: readonly Expression[]) =>
        filters.reduce((input, filter) => push(input, filter), pushDownFilters(side));
      return { ...node, left: sink(node.left, left), right: sink(node.right, right) };
    }
    case "filter": {
      const { predicate } = node;
      const input = pushDownFilters(node.input);
      if ("function" in predicate) return { ...node, input };
      return conjuncts(predicate).reduce((below, conjunct) => push(below, conjunct), input);
    }
    case "aggregate":
      return { ...node, input: withTime(node, pushDownFilters(node.input)) };
    default:
      return { ...node, input: pushDownFilters(node.input) };
  }
}

/**
 * A window implies that its time is not NULL. The aggregation itself sees to that; a filter is made only where it sinks,
 * and so changes what is seen below (SEMANTICS A11, D2).
 */
function withTime({ window, operatorId }: AggregateNode, input: LogicalNode): LogicalNode {
  if (window === undefined) return input;
  const noGap = window.kind === "session" && window.gap === null;
  const condition: Expression = noGap
    ? { kind: "literal", value: false, type: "boolean" }
    : { kind: "call", fn: "isNotNull", args: [{ kind: "column", name: window.column }] };
  const pushed = push(input, condition, { operatorId, reason: noGap ? "session-gap" : "no-event-time" });
  return pushed.kind === "filter" && pushed.input === input ? input : pushed;
}

/** `conjunct` over `node`, as low as it may go. */
function push(node: LogicalNode, conjunct: Expression, impliedBy?: Implied): LogicalNode {
  const columns = columnsOf(conjunct);
  const into = (input: LogicalNode, moved: Expression = conjunct) => push(input, moved, impliedBy);
  switch (node.kind) {
    case "filter":
      return pushThroughFilter(node, conjunct, impliedBy);
    case "withWatermark":
      return columns.has(node.column) ? place(node, conjunct, impliedBy) : { ...node, input: into(node.input) };
    case "project":
    case "aggregate": {
      const moved = columns.size === 0 && node.kind === "aggregate" ? null : substitute(conjunct, definitionsOf(node));
      return moved === null ? place(node, conjunct, impliedBy) : { ...node, input: into(node.input, moved) };
    }
    case "union":
      return { ...node, inputs: [into(node.inputs[0]), into(node.inputs[1])] };
    case "join": {
      const { left, right, type } = node;
      if (has(left, columns) && type !== "rightOuter" && type !== "fullOuter") return { ...node, left: into(left) };
      if (has(right, columns) && (type === "inner" || type === "rightOuter")) return { ...node, right: into(right) };
      return place(node, conjunct, impliedBy);
    }
    default:
      return place(node, conjunct, impliedBy);
  }
}

/**
 * Filters that end up at one place keep their order, as in Spark, which joins them by AND: the first may guard the others from rows that
 * they cannot evaluate, a division from zero or a cast from text that is no number.
 */
function pushThroughFilter(node: ImpliedFilterNode, conjunct: Expression, impliedBy: Implied): LogicalNode {
  if ("function" in node.predicate) return place(node, conjunct, impliedBy);
  const input = push(node.input, conjunct, impliedBy);
  const sinks = !(input.kind === "filter" && input.input === node.input);
  return sinks ? { ...node, input } : place(node, conjunct, impliedBy);
}

const place = (input: LogicalNode, predicate: Expression, impliedBy: Implied): ImpliedFilterNode => ({
  kind: "filter",
  input,
  predicate,
  schema: input.schema,
  ...(impliedBy === undefined ? {} : { impliedBy }),
});

const definitionsOf = (node: ProjectNode | AggregateNode) => (node.kind === "project" ? node.columns : node.keys);

const has = (side: LogicalNode, columns: ReadonlySet<string>): boolean =>
  [...columns].every((column) => side.schema.fields.some((field) => field.name === column));
