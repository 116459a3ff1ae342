import { userError } from "../../errors.js";
import { type Aggregator, aggregator } from "../../operators/aggregates/aggregator.js";
import { windowGroupRow, windowPrefix } from "../../operators/group-key.js";
import { type KeyColumns, keyColumns } from "../../operators/key-columns.js";
import type { AggregateNode, QueryDefinition } from "../../plan/logical-plan.js";
import { resolveExpression } from "../../plan/resolve.js";
import type { DataType, Row } from "../../plan/schema.js";
import { keepsState, nodesUpwards } from "../../plan/walk.js";
import { groupingKeys } from "../../planner/plan-aggregate.js";
import { toMicros } from "../../time/event-time.js";
import type { Window } from "../../time/window.js";

/** The aggregation whose results are corrected, and how its groups are named. */
export interface ReplayedAggregate {
  readonly node: AggregateNode;
  readonly aggregates: Aggregator;
  /** Of the arguments of its aggregates. */
  readonly types: readonly DataType[];
  /** Keys of rows as the aggregation gets them. */
  readonly keys: KeyColumns;
  groupOfResult(row: Row): string;
  groupOf(window: Window, key: string): string;
  /** Window and keys of a group, to be completed by `aggregates.finish`. */
  rowOf(group: string): Row;
}

/** @throws `late-replay-query` unless results are those of one aggregation over windows, in append mode */
export function replayedAggregate(
  definition: QueryDefinition,
  staticRows: (name: string) => readonly Row[],
): ReplayedAggregate {
  const { plan: node, outputMode, functions } = definition;
  const stateful = nodesUpwards(node).filter((below) => keepsState(below, outputMode));
  const why = refusal(definition, stateful.length);
  if (why !== null || node.kind !== "aggregate" || node.window === undefined) {
    throw userError(
      "late-replay-query",
      `Late rows cannot be folded into the results of this query: ${why}.`,
      "Compute the results anew from the raw events: tidemark run --exact.",
    );
  }
  const keys = groupingKeys(node, { definition, staticRows });
  const resultKeys = keyColumns(node.keys.map(({ name }) => node.schema.fields.find((field) => field.name === name)!));
  const { as } = node.window;
  const groupOf = ({ start, end }: Window, key: string) =>
    windowPrefix(toMicros(start), toMicros(end) - toMicros(start)) + key;
  return {
    node,
    aggregates: aggregator(node.aggregates, node.input.schema, functions),
    types: node.aggregates.map(({ value }) =>
      value === undefined ? "json" : resolveExpression(value, node.input.schema).type,
    ),
    keys,
    groupOf,
    groupOfResult: (row) => groupOf(row[as] as Window, resultKeys.encode(row)),
    rowOf: (group) => windowGroupRow(group, as, resultKeys),
  };
}

function refusal({ plan, outputMode }: QueryDefinition, stateful: number): string | null {
  if (plan.kind !== "aggregate") return "its last step is no aggregation";
  if (stateful > 1) return "it keeps state below its aggregation, which the late rows never reached";
  if (plan.window === undefined || plan.window.kind === "session") return "it does not aggregate over fixed windows";
  if (outputMode !== "append") return `it writes in ${outputMode} mode, in which a window has many rows`;
  return plan.input.schema.open === true ? "its columns are not declared" : null;
}
