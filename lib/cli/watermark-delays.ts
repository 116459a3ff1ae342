import type { Expression } from "../plan/expression.js";
import type { LogicalNode, QueryDefinition, WatermarkNode } from "../plan/logical-plan.js";
import { mapInputs } from "../plan/map-operators.js";
import { filterNode } from "../plan/nodes/nodes.js";
import { isKind, nodesUpwards } from "../plan/walk.js";
import type { EventTime } from "../time/event-time.js";
import { UsageError } from "./command.js";

/** In plan order. */
export const watermarksOf = (plan: LogicalNode): readonly WatermarkNode[] =>
  nodesUpwards(plan).filter(isKind("withWatermark"));

/** The query with other delay thresholds, in plan order, in whole milliseconds. */
export const withDelays = (definition: QueryDefinition, delaysMs: readonly number[]): QueryDefinition =>
  mapWatermarks(definition, (node, at) =>
    Object.freeze({ ...node, delayMs: delaysMs[at]!, delay: `${delaysMs[at]} milliseconds` }),
  );

/** Epoch ms, `from` inclusive, `until` exclusive; null: no bound. */
export interface EventTimeRange {
  readonly from: EventTime | null;
  readonly until: EventTime | null;
}

/** The query over the events of a range alone: the others are filtered out below its watermarks, and do not move them. */
export const withinEventTimes = (definition: QueryDefinition, { from, until }: EventTimeRange): QueryDefinition =>
  from === null && until === null
    ? definition
    : mapWatermarks(definition, (node) => {
        const { column, input } = node;
        if (input.schema.fields.find(({ name }) => name === column)?.type !== "timestamp")
          throw new UsageError(`--from and --until need '${column}' to be declared as timestamp().`);
        const bounds = [...bound("ge", column, from), ...bound("lt", column, until)];
        return Object.freeze({ ...node, input: bounds.reduce<LogicalNode>(filterNode, input) });
      });

const bound = (fn: "ge" | "lt", name: string, value: EventTime | null): readonly Expression[] =>
  value === null
    ? []
    : [
        {
          kind: "call",
          fn,
          args: [
            { kind: "column", name },
            { kind: "literal", value, type: "timestamp" },
          ],
        },
      ];

function mapWatermarks(
  definition: QueryDefinition,
  change: (node: WatermarkNode, at: number) => WatermarkNode,
): QueryDefinition {
  let at = 0;
  const visit = (node: LogicalNode): LogicalNode => {
    const rebuilt = mapInputs(node, visit);
    return rebuilt.kind === "withWatermark" ? change(rebuilt, at++) : rebuilt;
  };
  return Object.freeze({ ...definition, plan: visit(definition.plan) });
}
