import { aggregator } from "../operators/aggregates/aggregator.js";
import { compileExpression } from "../operators/evaluate/evaluate.js";
import { compileVector, cursorReader, type Reader, rowReader, vectorOf } from "../operators/evaluate/reader.js";
import type { EventTimeColumn } from "../operators/event-time-column.js";
import { type KeyAggregateSpec, keyAggregate } from "../operators/key-aggregate.js";
import { type KeyColumns, keyColumns } from "../operators/key-columns.js";
import type { StatefulOperator } from "../operators/operator.js";
import { sessionAggregate } from "../operators/session-aggregate.js";
import { windowAggregate } from "../operators/window-aggregate.js";
import type { AggregateNode, Projection, SessionSpec } from "../plan/logical-plan.js";
import { watermarkedColumns } from "../plan/watermarked-columns.js";
import { calendarGrid } from "../time/calendar-window.js";
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
  const { size, slide, offset, calendar } = window;
  const days = calendar === undefined ? {} : { calendar: calendarGrid(calendar) };
  return windowAggregate({ ...common, size, slide, offset, ...days });
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
export function groupingKeys(node: AggregateNode, context: PlanContext): KeyColumns {
  const fields = node.keys.map(({ name }) => node.schema.fields.find((field) => field.name === name)!);
  return keyColumns(
    fields,
    node.keys.map(({ value }) =>
      "function" in value
        ? vectorOf(rowReader(callFunction(context, value.function)))
        : compileVector(value, node.input.schema),
    ),
  );
}

function gapOf({ gap }: SessionSpec, node: AggregateNode, context: PlanContext): Reader {
  if (gap === null || typeof gap === "number") return () => () => gap;
  if ("function" in gap) return rowReader(callFunction(context, gap.function));
  const cases = gap.cases.map(({ when, gap: own }) => ({ holds: compileExpression(when, node.input.schema), own }));
  return cursorReader((row) => {
    for (const { holds, own } of cases) if (holds(row) === true) return own;
    return gap.otherwise;
  });
}
