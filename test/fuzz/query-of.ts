import { defineQuery } from "../../lib/plan/define-query.js";
import type { Expression } from "../../lib/plan/expression.js";
import type { LogicalNode, QueryDefinition } from "../../lib/plan/logical-plan.js";
import {
  type AggregateInput,
  aggregateNode,
  deduplicateNode,
  filterNode,
  joinNode,
  makeSession,
  makeWindow,
  projectNode,
  sourceNode,
  unionNode,
  watermarkNode,
} from "../../lib/plan/nodes/nodes.js";
import type { DataType, Row } from "../../lib/plan/schema.js";
import type { Join, Shape, Stage } from "./shape.js";

const col = (name: string, side?: "left" | "right"): Expression => ({
  kind: "column",
  name,
  ...(side === undefined ? {} : { side }),
});
const call = (fn: "and" | "eq" | "ge" | "le" | "add", ...args: Expression[]): Expression => ({
  kind: "call",
  fn,
  args,
});
const secondsOf = (n: number): Expression => ({ kind: "interval", micros: n * 1e6, text: `${n} seconds` });

const COLUMNS: Readonly<Record<string, DataType>> = { t: "timestamp", k: "string", id: "string", v: "long" };
export const sourceName = (source: number): string => `s${source}`;

/** The engine's query of a shape, from the same factories that the builder uses. */
export function queryOf(shape: Shape): QueryDefinition {
  const [head, ...tail] = shape.stages;
  const inputs = Array.from({ length: shape.sources }, (_, source) => inputNode(shape, source));
  let plan: LogicalNode;
  if (head.kind === "join") {
    plan = joined(head, inputs[0]!, inputs[1]!);
    if (tail.length > 0) plan = flattened(plan, head);
  } else {
    plan = inputs.reduce((left, right) => unionNode(left, right));
    if (shape.watermarkAt === "union")
      plan = filtered(watermarkNode(plan, "t", `${shape.delayMs} milliseconds`), shape);
    plan = stageNode(plan, head, 0);
  }
  tail.forEach((stage, index) => {
    plan = stageNode(plan, stage, index + 1);
  });
  return defineQuery({
    queryName: "fuzz",
    outputMode: shape.outputMode,
    watermarkPolicy: shape.policy,
    lateRule: shape.lateRule,
    plan,
    sink: { kind: "memory" },
    options: { noDataMicroBatches: shape.noDataMicroBatches },
    functions: { atLeast: (row: Row) => row["v"] !== null && (row["v"] as number) >= (shape.filter?.atLeast ?? 0) },
  });
}

function inputNode(shape: Shape, source: number): LogicalNode {
  const fields = Object.entries(COLUMNS).map(([name, type]) => ({ name, type, nullable: true }));
  const node = sourceNode(sourceName(source), { kind: "memory", across: "max" }, { fields });
  return shape.watermarkAt === "union"
    ? node
    : filtered(watermarkNode(node, "t", `${shape.delayMs} milliseconds`), shape);
}

function filtered(node: LogicalNode, { filter }: Shape): LogicalNode {
  if (filter === null) return node;
  const atLeast: Expression = { kind: "literal", value: filter.atLeast, type: "long" };
  return filterNode(node, filter.kind === "function" ? { function: "atLeast" } : call("ge", col("v"), atLeast));
}

function joined({ type, from, to, residual }: Join, left: LogicalNode, right: LogicalNode): LogicalNode {
  const prefixed = (node: LogicalNode, prefix: string) =>
    projectNode(
      node,
      Object.keys(COLUMNS).map((name) => ({ name: prefix + name, value: col(name) })),
    );
  const bound = (seconds: number) => call("add", col("lt", "left"), secondsOf(seconds));
  const on = call(
    "and",
    call("eq", col("lk", "left"), col("rk", "right")),
    call("ge", col("rt", "right"), bound(from)),
    call("le", col("rt", "right"), bound(to)),
    ...(residual ? [call("le", col("lv", "left"), col("rv", "right"))] : []),
  );
  return joinNode(prefixed(left, "l"), prefixed(right, "r"), { type, on });
}

/** A join's result as rows like the sources', so that an aggregation can follow: times and keys of the left, values of the right. */
const flattened = (plan: LogicalNode, { type }: Join): LogicalNode =>
  projectNode(plan, [
    { name: "t", value: col("lt") },
    { name: "k", value: col("lk") },
    { name: "id", value: col("lid") },
    { name: "v", value: col(type === "leftSemi" ? "lv" : "rv") },
  ]);

const windowName = (index: number): string => `w${index}`;

function stageNode(input: LogicalNode, stage: Stage, index: number): LogicalNode {
  const windows = input.schema.fields.filter(({ type }) => type === "window");
  const column = windows.at(-1)?.name ?? "t";
  const fresh = windows.length === 0;
  const value = (name: string): AggregateInput["value"] => col(name);
  switch (stage.kind) {
    case "window":
    case "session":
      return aggregateNode(input, {
        window:
          stage.kind === "session"
            ? makeSession(column, `${stage.gap} seconds`, windowName(index))
            : makeWindow({
                column,
                size: `${stage.size} seconds`,
                slide: `${stage.slide} seconds`,
                offset: `${stage.offset} seconds`,
                as: windowName(index),
              }),
        keys: [{ name: "k", value: col("k") }],
        aggregates: fresh
          ? [
              { as: "n", fn: "count" },
              { as: "total", fn: "sum", value: value("v")! },
              { as: "top", fn: "max", value: value("v")! },
            ]
          : [
              { as: "n", fn: "sum", value: value("n")! },
              { as: "total", fn: "sum", value: value("total")! },
              { as: "top", fn: "max", value: value("top")! },
            ],
      });
    case "dedup":
      return deduplicateNode(input, { keys: fresh ? ["id", "t"] : [column, "k"] });
    case "dedupWithin":
      return deduplicateNode(input, { keys: ["id"], withinWatermark: true });
    case "join":
      throw new Error("a join is always the first stage");
  }
}
