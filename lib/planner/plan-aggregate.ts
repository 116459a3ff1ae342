import { aggregator } from "../operators/aggregates/aggregator.js";
import { compileExpression, type Evaluator } from "../operators/evaluate/evaluate.js";
import type { EventTimeColumn } from "../operators/event-time-column.js";
import { type KeyAggregateSpec, keyAggregate } from "../operators/key-aggregate.js";
import { type KeyColumns, keyColumns } from "../operators/key-columns.js";
import type { StatefulOperator } from "../operators/operator.js";
import { sessionAggregate } from "../operators/session-aggregate.js";
import { windowAggregate } from "../operators/window-aggregate.js";
import type { AggregateNode, Projection, SessionSpec } from "../plan/logical-plan.js";
import type { Row } from "../plan/schema.js";
import { watermarkedColumns } from "../plan/watermarked-columns.js";
import { encodeKey } from "../state/key-codec.js";
import type { Micros } from "../time/event-time.js";
import type { PlanContext } from "./plan-context.js";
import { callFunction } from "./user-function.js";

export function planAggregate(node: AggregateNode, context: PlanContext): StatefulOperator {
  const { operatorId, window, input } = node;
  const { outputMode, lateRule, functions } = context.definition;
  const aggregates = aggregator(node.aggregates, input.schema, functions);
  const keys = groupingKeys(node, context);
  if (window === undefined) return keyAggregate({ operatorId, keys, ...timeKey(node), aggregates, outputMode });
  const times = watermarkedColumns(input);
  const common = {
    operatorId,
    column: timeColumn(node, window.column),
    watermarked: times.some((time) => time.name === window.column),
    keys,
    as: window.as,
    aggregates,
    outputMode,
    lateRule,
  };
  if (window.kind === "session") return sessionAggregate({ ...common, gap: gapOf(window, node, context) });
  const { size, slide, offset } = window;
  return windowAggregate({ ...common, size, slide, offset });
}

function timeColumn(node: AggregateNode, name: string): EventTimeColumn {
  const type = node.input.schema.fields.find((field) => field.name === name)?.type;
  return { name, type: type === "window" ? "window" : "timestamp" };
}

/** The input column that carries the watermark and is itself a key, perhaps under another name. */
function timeKey(node: AggregateNode): Pick<KeyAggregateSpec, "eventTime" | "eventTimeKey"> {
  const names = new Map(node.keys.flatMap(({ name, value }) => (isPlain(value) ? [[value.name, name]] : [])));
  const eventTime = watermarkedColumns(node.input).find((time) => names.has(time.name)) ?? null;
  return { eventTime, eventTimeKey: names.get(eventTime?.name ?? "") };
}

type Plain = Extract<Projection["value"], { kind: "column" }>;

const isPlain = (value: Projection["value"]): value is Plain =>
  "kind" in value && value.kind === "column" && (value.path ?? []).length === 0;

/** Keys as the output names them, computed where they are not columns. */
function groupingKeys(node: AggregateNode, context: PlanContext): KeyColumns {
  const fields = node.keys.map(({ name }) => node.schema.fields.find((field) => field.name === name)!);
  const named = keyColumns(fields);
  if (node.keys.every(({ name, value }) => isPlain(value) && value.name === name)) return named;
  const types = fields.map((field) => field.type);
  const values = node.keys.map(({ value }) => evaluatorOf(value, node, context));
  return {
    ...named,
    encode: (row) =>
      encodeKey(
        values.map((value) => value(row)),
        types,
      ),
  };
}

const evaluatorOf = (value: Projection["value"], node: AggregateNode, context: PlanContext): Evaluator =>
  "function" in value ? callFunction(context, value.function) : compileExpression(value, node.input.schema);

function gapOf({ gap }: SessionSpec, node: AggregateNode, context: PlanContext): (row: Row) => Micros | null {
  if (gap === null || typeof gap === "number") return () => gap;
  if ("function" in gap) {
    const compute = callFunction(context, gap.function);
    return (row) => compute(row) as Micros | null;
  }
  const cases = gap.cases.map(({ when, gap: own }) => ({ holds: compileExpression(when, node.input.schema), own }));
  return (row) => {
    for (const { holds, own } of cases) if (holds(row) === true) return own;
    return gap.otherwise;
  };
}
