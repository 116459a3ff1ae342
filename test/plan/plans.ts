import { TidemarkError } from "../../lib/errors.js";
import type { Expression } from "../../lib/plan/expression.js";
import type { LogicalNode } from "../../lib/plan/logical-plan.js";
import { aggregateNode, makeWindow, sourceNode, watermarkNode } from "../../lib/plan/nodes/nodes.js";
import type { DataType, Schema } from "../../lib/plan/schema.js";

export const schemaOf = (types: Readonly<Record<string, DataType>>): Schema => ({
  fields: Object.entries(types).map(([name, type]) => ({ name, type, nullable: true })),
});

export const events: LogicalNode = sourceNode(
  "events",
  { kind: "memory" },
  schemaOf({ ts: "timestamp", user: "string", value: "long" }),
);

export const clicks: LogicalNode = sourceNode(
  "clicks",
  { kind: "memory" },
  schemaOf({ rts: "timestamp", rk: "string", rv: "long" }),
);

export const timedEvents = watermarkNode(events, "ts", "10 seconds");
export const timedClicks = watermarkNode(clicks, "rts", "10 seconds");

export const column = (name: string, side?: "left" | "right"): Expression =>
  side === undefined ? { kind: "column", name } : { kind: "column", name, side };

export const call = (fn: Extract<Expression, { kind: "call" }>["fn"], ...args: readonly Expression[]): Expression => ({
  kind: "call",
  fn,
  args,
});

export const interval = (seconds: number): Expression => ({
  kind: "interval",
  micros: seconds * 1_000_000,
  text: `${seconds} seconds`,
});

export const keep = (name: string, as = name) => ({ name: as, value: column(name) });

export const countPerWindow = (input: LogicalNode, time = "ts", size = "5 minutes", as = "window") =>
  aggregateNode(input, {
    window: makeWindow({ column: time, size, as }),
    keys: [],
    aggregates: [{ as: "count", fn: "count" }],
  });

/** The code of the refusal, or "accepted". */
export function codeOf(build: () => unknown): string {
  try {
    build();
  } catch (error) {
    if (error instanceof TidemarkError) return error.code;
    throw error;
  }
  return "accepted";
}
