import type { Expression } from "../plan/expression.js";
import type { AggregateNode, FunctionRef, LogicalNode, SourceNode } from "../plan/logical-plan.js";
import { watermarkedColumns } from "../plan/watermarked-columns.js";
import { columnsOf } from "./substitute-columns.js";

/** Null: whole rows. */
type ColumnSet = ReadonlySet<string> | null;

const WHOLE_ROWS: ColumnSet = null;

/**
 * The columns of each source that operators read one by one; whole rows where one is kept as such: joined, given to user code, or a result.
 * About speed alone: whatever else is asked for is decoded then.
 */
export function columnsRead(plan: LogicalNode): ReadonlyMap<SourceNode, ColumnSet> {
  const found = new Map<SourceNode, ColumnSet>();
  visit(plan, WHOLE_ROWS, found);
  return found;
}

function visit(node: LogicalNode, above: ColumnSet, found: Map<SourceNode, ColumnSet>): void {
  switch (node.kind) {
    case "source":
      found.set(node, found.has(node) ? union(found.get(node)!, above) : above);
      return;
    case "static":
      return;
    case "union":
      for (const input of node.inputs) visit(input, above, found);
      return;
    case "join":
      visit(node.left, WHOLE_ROWS, found);
      visit(node.right, WHOLE_ROWS, found);
      return;
    case "project":
      visit(node.input, readBy(node.columns.map(({ value }) => value)), found);
      return;
    case "filter":
      visit(node.input, union(above, readBy([node.predicate])), found);
      return;
    case "withWatermark":
      visit(node.input, union(above, new Set([node.column])), found);
      return;
    case "aggregate":
      visit(node.input, readByAggregate(node), found);
      return;
    case "deduplicate":
      visit(node.input, union(above, union(new Set(node.keys), timesOf(node.input))), found);
      return;
    case "limit":
      visit(node.input, above, found);
      return;
    default:
      visit(node.input, WHOLE_ROWS, found);
  }
}

const union = (a: ColumnSet, b: ColumnSet): ColumnSet =>
  a === null || b === null ? WHOLE_ROWS : new Set([...a, ...b]);

const readBy = (values: readonly (Expression | FunctionRef)[]): ColumnSet =>
  values.reduce<ColumnSet>(
    (read, value) => union(read, "function" in value ? WHOLE_ROWS : columnsOf(value)),
    new Set(),
  );

const timesOf = (node: LogicalNode): ColumnSet => new Set(watermarkedColumns(node).map(({ name }) => name));

function readByAggregate({ window, keys, aggregates, input }: AggregateNode): ColumnSet {
  const values = aggregates.flatMap(({ value, by }) => [value, by]).filter((value) => value !== undefined);
  const takesRows = aggregates.some(({ fn, value }) => fn === "user" && value === undefined);
  const read = union(takesRows ? WHOLE_ROWS : timesOf(input), readBy([...values, ...keys.map(({ value }) => value)]));
  if (window === undefined) return read;
  const gap = window.kind === "session" && typeof window.gap === "object" ? window.gap : null;
  const byGap = gap === null ? [] : "function" in gap ? [gap] : gap.cases.map(({ when }) => when);
  return union(union(read, new Set([window.column])), readBy(byGap));
}
