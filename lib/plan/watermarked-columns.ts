import type { Expression } from "./expression.js";
import type { FunctionRef, LogicalNode, Projection } from "./logical-plan.js";
import { isFunctionRef } from "./nodes/project-node.js";

/** An output column that carries event time: a timestamp, or a window, whose time is its end (SEMANTICS A12, H4). */
export interface WatermarkedColumn {
  readonly name: string;
  readonly type: "timestamp" | "window";
  /** Of the watermark that marked it; dropDuplicatesWithinWatermark keeps keys this long (E2). */
  readonly delayMs: number;
}

type Columns = readonly WatermarkedColumn[];
const NONE: Columns = Object.freeze([]);

/**
 * Which output columns of a node carry event time, in column order. A plain rename keeps it, anything computed loses it, but for
 * window() of it and window_time() of such a window; a union has its first input's; a join may have both sides' (H5).
 */
export function watermarkedColumns(node: LogicalNode): Columns {
  switch (node.kind) {
    case "source":
    case "static":
      return NONE;
    case "withWatermark":
      return [{ name: node.column, type: "timestamp", delayMs: node.delayMs }];
    case "filter":
    case "limit":
    case "sort":
    case "deduplicate":
      return watermarkedColumns(node.input);
    case "project":
      return carried(node.columns, watermarkedColumns(node.input));
    case "map":
    case "flatMap":
    case "transformWithState":
    case "groupsWithState":
      return named(node.eventTime, watermarkedColumns(node.input));
    case "aggregate":
      return ofAggregate(node.window, node.keys, watermarkedColumns(node.input));
    case "union":
      return watermarkedColumns(node.inputs[0]);
    case "join":
      return ofJoin(node);
  }
}

/** The one that an operator above `node` filters late rows by; undefined: it filters none. */
export const watermarkedColumn = (node: LogicalNode): WatermarkedColumn | undefined => watermarkedColumns(node)[0];

/** The event-time columns among the columns of an expression list, under their new names. */
function carried(columns: readonly Projection[], input: Columns): Columns {
  return columns.flatMap(({ name, value }) => {
    const source = sourceOf(value, input);
    return source === undefined ? [] : [{ ...source, name }];
  });
}

function sourceOf(value: Expression | FunctionRef, input: Columns): WatermarkedColumn | undefined {
  if (isFunctionRef(value)) return undefined;
  if (value.kind === "column" && (value.path ?? []).length === 0)
    return input.find((column) => column.name === value.name);
  if (value.kind !== "call" || (value.fn !== "windowOf" && value.fn !== "windowTime")) return undefined;
  const argument = sourceOf(value.args[0]!, input);
  return argument === undefined ? undefined : { ...argument, type: value.fn === "windowOf" ? "window" : "timestamp" };
}

const named = (name: string | undefined, input: Columns): Columns =>
  name === undefined ? NONE : input.slice(0, 1).map(({ delayMs }) => ({ name, type: "timestamp", delayMs }));

type AggregateLike = Extract<LogicalNode, { kind: "aggregate" }>;

function ofAggregate(window: AggregateLike["window"], keys: readonly Projection[], input: Columns): Columns {
  const timed = window === undefined ? undefined : input.find((column) => column.name === window.column);
  const ofWindow: Columns =
    window === undefined || timed === undefined ? NONE : [{ name: window.as, type: "window", delayMs: timed.delayMs }];
  return [...ofWindow, ...carried(keys, input)];
}

function ofJoin(node: Extract<LogicalNode, { kind: "join" }>): Columns {
  const left = watermarkedColumns(node.left);
  if (node.type === "leftSemi" || node.type === "leftAnti") return left;
  const right = watermarkedColumns(node.right);
  const using = node.using ?? [];
  const kept = node.type === "rightOuter" ? right : left;
  const lost = node.type === "rightOuter" ? left : right;
  const both = [...kept, ...lost.filter((column) => !using.includes(column.name))];
  const order = node.schema.fields.map((field) => field.name);
  return both.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}
