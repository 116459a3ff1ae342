import { rowBatch } from "../../lib/columns/column-batch.js";
import type { Expression, FunctionName } from "../../lib/plan/expression.js";
import type { LogicalNode, QueryDefinition } from "../../lib/plan/logical-plan.js";
import { sourceNode, watermarkNode } from "../../lib/plan/nodes/nodes.js";
import type { DataType } from "../../lib/plan/schema.js";
import { type PlanOptions, planQuery } from "../../lib/planner/plan-query.js";
import { memoryState } from "../../lib/state/staged-state.js";
import { NO_WATERMARK } from "../../lib/time/event-time.js";
import { collectPass } from "./collect-pass.js";

export const col = (name: string): Expression => ({ kind: "column", name });
export const long = (value: number): Expression => ({ kind: "literal", value, type: "long" });
export const fn = (name: FunctionName, ...args: Expression[]): Expression => ({ kind: "call", fn: name, args });

export const source = (name = "events", types: Record<string, DataType> = { t: "timestamp", k: "string", v: "long" }) =>
  sourceNode(
    name,
    { kind: "memory" },
    { fields: Object.entries(types).map(([field, type]) => ({ name: field, type, nullable: true })) },
  );

export const watermarked = (name?: string, delay = "0 seconds") => watermarkNode(source(name), "t", delay);

export const definitionOf = (plan: LogicalNode, overrides: Partial<QueryDefinition> = {}): QueryDefinition => ({
  queryName: "q",
  outputMode: "append",
  watermarkPolicy: "min",
  lateRule: "state",
  plan,
  sink: { kind: "memory" },
  options: { onError: "fail", noDataMicroBatches: true, statePartitions: 1 },
  functions: {},
  ...overrides,
});

/** The kinds of nodes from the top down, along the first inputs. */
export function kindsOf(node: LogicalNode): string[] {
  if (node.kind === "source" || node.kind === "static") return [node.kind];
  if (node.kind === "union") return [node.kind, ...kindsOf(node.inputs[0])];
  return [node.kind, ...kindsOf(node.kind === "join" ? node.left : node.input)];
}

export interface PassInput {
  readonly rows?: Readonly<Record<number, readonly Record<string, unknown>[]>>;
  readonly late?: number;
  readonly evict?: number;
  readonly arrivals?: readonly number[];
  readonly maxFutureSkewMs?: number;
}

/** A planned query over a state that is committed after every pass. Rows by index of the source node. */
export function planned(definition: QueryDefinition, options?: PlanOptions) {
  const query = planQuery(definition, options);
  const state = memoryState();
  const pass = ({ rows = {}, late = NO_WATERMARK, evict = NO_WATERMARK, arrivals, maxFutureSkewMs }: PassInput) => {
    const staged = state.stage();
    query.beginPass({ watermarkForLateEvents: late, watermarkForEviction: evict, processingTime: 0, state: staged });
    for (const [node, chunk] of Object.entries(rows)) {
      query.process(Number(node), {
        batch: rowBatch(chunk),
        shard: "s",
        arrivals: arrivals ?? null,
        maxFutureSkewMs: maxFutureSkewMs ?? null,
      });
    }
    const result = collectPass(query.endPass());
    state.commit(staged);
    return result;
  };
  return { query, pass };
}
