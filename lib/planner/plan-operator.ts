import { internalError } from "../errors.js";
import { deduplicate } from "../operators/deduplicate.js";
import { eventTimeValue } from "../operators/evaluate/cast.js";
import { compileExpression } from "../operators/evaluate/evaluate.js";
import { compileReader, compileVector, cursorReader, rowReader, vectorOf } from "../operators/evaluate/reader.js";
import { windowGridOf, windowsOf } from "../operators/evaluate/window-of.js";
import type { EventTimeColumn } from "../operators/event-time-column.js";
import { filterOperator } from "../operators/filter.js";
import { groupsWithState } from "../operators/groups-with-state.js";
import { joinOperator } from "../operators/join.js";
import { keyColumns } from "../operators/key-columns.js";
import { passLimit, streamLimit } from "../operators/limit.js";
import { mapOperator } from "../operators/map.js";
import type { Operator } from "../operators/operator.js";
import { projectOperator } from "../operators/project.js";
import { requireValueOperator } from "../operators/require-value.js";
import { sortOperator } from "../operators/sort.js";
import { staticJoinOperator } from "../operators/static-join.js";
import { transformWithState } from "../operators/transform-with-state.js";
import { unionOperator } from "../operators/union.js";
import { userValue } from "../operators/user-value.js";
import { watermarkOperator } from "../operators/with-watermark.js";
import { conditionOf } from "../plan/checks/check-join.js";
import { fieldOf } from "../plan/data-type.js";
import type {
  DeduplicateNode,
  JoinNode,
  LogicalNode,
  MapNode,
  ProjectNode,
  StatefulNode,
  WatermarkNode,
} from "../plan/logical-plan.js";
import type { Row, Schema } from "../plan/schema.js";
import { isStreaming } from "../plan/walk.js";
import { watermarkedColumn } from "../plan/watermarked-columns.js";
import { planAggregate } from "./plan-aggregate.js";
import type { PlanContext } from "./plan-context.js";
import type { ImpliedFilterNode } from "./push-down-filters.js";
import { tableRows } from "./table-rows.js";
import { callFunction, callRowsFunction, requireFunction } from "./user-function.js";
import type { WatermarkObserver } from "./watermark-observer.js";

type Processor = Parameters<typeof transformWithState>[0]["processor"];
type Handler = Parameters<typeof groupsWithState>[0]["handler"];

/** The operator of one node; sources and static tables have none, and a watermark has its own. */
export function planOperator(node: Exclude<LogicalNode, { kind: "withWatermark" }>, context: PlanContext): Operator {
  switch (node.kind) {
    case "project":
      return planProject(node, context);
    case "filter":
      return planFilter(node, context);
    case "map":
    case "flatMap":
      return planMap(node, context);
    case "aggregate":
      return planAggregate(node, context);
    case "deduplicate":
      return planDeduplicate(node);
    case "union":
      return unionOperator();
    case "join":
      return planJoin(node, context);
    case "limit":
      return context.definition.outputMode === "complete" ? passLimit(node.n) : streamLimit(node.operatorId, node.n);
    case "sort":
      return sortOperator(node.columns);
    case "transformWithState":
    case "groupsWithState":
      return planStateful(node, context);
    case "source":
    case "static":
      throw internalError("plan-leaf", `A ${node.kind} node has no operator.`);
  }
}

function planProject(node: ProjectNode, context: PlanContext): Operator {
  const columns = node.columns.map(({ name, value, type }) => {
    if ("function" in value) {
      const call = callFunction(context, value.function);
      const convert = userValue(type, name);
      return { name, vector: vectorOf(rowReader((row) => convert(call(row)))) };
    }
    if (value.kind !== "call" || value.fn !== "windowOf") {
      return { name, vector: compileVector(value, node.input.schema) };
    }
    const time = compileExpression(value.args[0]!, node.input.schema);
    const grid = windowGridOf(value);
    return { name, windows: cursorReader((row) => windowsOf(time(row), grid)) };
  });
  return projectOperator({ operatorId: "project", columns });
}

function planFilter({ predicate, input, impliedBy }: ImpliedFilterNode, context: PlanContext): Operator {
  if ("function" in predicate) {
    const call = callFunction(context, predicate.function);
    return filterOperator(rowReader((row) => Boolean(call(row))));
  }
  const holds = compileReader(predicate, input.schema);
  if (impliedBy === undefined) return filterOperator(holds);
  return requireValueOperator(impliedBy.operatorId, impliedBy.reason, holds);
}

function planMap(node: MapNode, context: PlanContext): Operator {
  if (node.kind === "flatMap") return mapOperator(callRowsFunction(context, node.function), node.schema);
  const call = callFunction(context, node.function);
  return mapOperator((row) => [call(row) as Row], node.schema);
}

export function planWatermark({ column, input }: WatermarkNode, observer: WatermarkObserver): Operator {
  const cast = isTimed(input.schema, column) ? null : toTime;
  return watermarkOperator({ column, cast, observe: observer.observe });
}

/** Before a window over a json column that no watermark has made a timestamp; null: there is nothing to do. */
export function planTimeCast(node: LogicalNode): Operator | null {
  const column = node.kind === "aggregate" ? node.window?.column : undefined;
  if (node.kind !== "aggregate" || column === undefined || isTimed(node.input.schema, column)) return null;
  return watermarkOperator({ column, cast: toTime, observe: () => {} });
}

/** Anything that is no time counts as none. */
const toTime = (value: unknown) => eventTimeValue(value) ?? null;

function isTimed(schema: Schema, column: string): boolean {
  const type = fieldOf(schema, column)?.type;
  return type === "timestamp" || type === "window";
}

/** As the operators want it: null where there is none. */
const timeOf = (node: LogicalNode): EventTimeColumn | null => watermarkedColumn(node) ?? null;

const fieldsOf = (schema: Schema, names: readonly string[]) =>
  names.map((name) => fieldOf(schema, name) ?? { name, type: "json" as const, nullable: true });

function planDeduplicate(node: DeduplicateNode): Operator {
  return deduplicate({
    operatorId: node.operatorId,
    keys: keyColumns(fieldsOf(node.schema, node.keys)),
    eventTime: timeOf(node.input),
    withinDelayMs: node.withinWatermark ? (watermarkedColumn(node.input)?.delayMs ?? 0) : null,
  });
}

function planJoin(node: JoinNode, context: PlanContext): Operator {
  const { operatorId, type, using, left, right } = node;
  const condition = conditionOf(node);
  const [streamLeft, streamRight] = [isStreaming(left), isStreaming(right)];
  if (streamLeft && streamRight) {
    if (type === "leftAnti") throw internalError("unsupported-join", "A left anti join of two streams was planned.");
    const [leftSpec, rightSpec] = [left, right].map((side) => ({ schema: side.schema, eventTime: timeOf(side) }));
    return joinOperator({ operatorId, type, condition, using, left: leftSpec!, right: rightSpec! });
  }
  if (type === "rightOuter" || type === "fullOuter") {
    throw internalError("unsupported-join", `A ${type} join with a table was planned.`);
  }
  const table = streamLeft ? right : left;
  return staticJoinOperator({
    stream: streamLeft ? "left" : "right",
    type,
    condition,
    using,
    left: left.schema,
    right: right.schema,
    rows: () => tableRows(table, context, planOperator),
  });
}

function planStateful(node: StatefulNode, context: PlanContext): Operator {
  const { operatorId, timeMode } = node;
  const common = {
    operatorId,
    timeMode,
    keys: keyColumns(fieldsOf(node.input.schema, node.keys)),
    eventTime: timeOf(node.input),
    output: { schema: node.schema, eventTime: node.eventTime ?? null },
  };
  const user = requireFunction(context, node.function);
  return node.kind === "transformWithState"
    ? transformWithState({ ...common, processor: user as Processor })
    : groupsWithState({ ...common, handler: user as Handler });
}
