import type { ColumnBatch } from "../columns/column-batch.js";
import { internalError } from "../errors.js";
import { NO_BATCHES, type Operator, type StatefulOperator } from "../operators/operator.js";
import type { LogicalNode, QueryDefinition } from "../plan/logical-plan.js";
import type { Row } from "../plan/schema.js";
import { inputsOf, isStreaming, keepsState } from "../plan/walk.js";
import type { EventTime } from "../time/event-time.js";
import { columnsRead } from "./columns-read.js";
import { makeRunnable, type OperatorPlan } from "./make-runnable.js";
import type { PhysicalQuery } from "./physical-query.js";
import { planOperator, planTimeCast, planWatermark } from "./plan-operator.js";
import { pushDownFilters } from "./push-down-filters.js";
import { watermarkIds } from "./watermark-ids.js";
import { type WatermarkObserver, watermarkObserver } from "./watermark-observer.js";

export interface PlanOptions {
  /** Rows of a static table by its name. */
  readonly staticRows?: (name: string) => readonly Row[];
  /** Sees what every watermark node sees, NULLs too; for drivers that keep statistics of their own. */
  readonly onEventTime?: (nodeId: string, eventTime: EventTime | null) => void;
}

const noTables = (name: string): never => {
  throw internalError("static-rows", `The rows of the static table '${name}' were not given.`);
};

/** Makes a query runnable, once per cold start. The plan is taken as supported: `check-supported` refuses before. */
export function planQuery(definition: QueryDefinition, options: PlanOptions = {}): PhysicalQuery {
  const { plan, add } = planBuilder(definition, options);
  add(pushDownFilters(definition.plan));
  return makeRunnable(plan);
}

interface Added {
  readonly vertex: number;
  /** Indexes of the sources below it. */
  readonly sources: readonly number[];
}

interface PlanBuilder {
  readonly plan: OperatorPlan;
  /** Adds a node after its inputs. */
  add(node: LogicalNode): Added;
  addVertex(operator: Operator, below: readonly Pick<Added, "vertex">[], stateful?: StatefulOperator | null): number;
}

/** @param cut takes a node instead of `add` where it returns what it added */
export function planBuilder(
  definition: QueryDefinition,
  options: PlanOptions,
  cut: (node: LogicalNode, builder: PlanBuilder) => Added | null = () => null,
): PlanBuilder {
  const context = { definition, staticRows: options.staticRows ?? noTables };
  const pushed = pushDownFilters(definition.plan);
  const reads = columnsRead(pushed);
  const plan: OperatorPlan = {
    vertices: [],
    sources: [],
    watermarks: [],
    outputSchema: definition.plan.schema,
    oneWatermark: definition.options.allowMultipleStatefulOperators === false,
  };

  const idOf = watermarkIds(pushed);

  const observerOf = (nodeId: string): WatermarkObserver => {
    const { onEventTime } = options;
    return watermarkObserver(onEventTime === undefined ? null : (eventTime) => onEventTime(nodeId, eventTime));
  };

  function add(node: LogicalNode): Added {
    const taken = cut(node, builder);
    if (taken !== null) return taken;
    if (node.kind === "source") {
      const { name, schema } = node;
      plan.sources.push({ name, schema, reads: reads.get(node) ?? null, vertex: plan.vertices.length });
      return { vertex: addVertex(SOURCE, []), sources: [plan.sources.length - 1] };
    }
    const inputs = inputsOf(node).filter(isStreaming).map(add);
    const sources = inputs.flatMap((input) => input.sources);
    if (node.kind !== "withWatermark") {
      const cast = planTimeCast(node);
      const below = cast === null ? inputs : [{ vertex: addVertex(cast, inputs) }];
      const operator = planOperator(node, context);
      const stateful = keepsState(node, definition.outputMode) ? (operator as StatefulOperator) : null;
      return { vertex: addVertex(operator, below, stateful), sources };
    }
    const id = idOf(node);
    const observer = observerOf(id);
    const vertex = addVertex(planWatermark(node, observer), inputs);
    plan.watermarks.push({ info: { id, delayMs: node.delayMs, sources }, observer, vertex });
    return { vertex, sources };
  }

  function addVertex(
    operator: Operator,
    below: readonly Pick<Added, "vertex">[],
    stateful: StatefulOperator | null = null,
  ): number {
    const vertex = plan.vertices.length;
    const inputs = below.map((input) => input.vertex);
    inputs.forEach((input, index) => {
      plan.vertices[input]!.consumer = { vertex, input: index };
    });
    plan.vertices.push({ operator, stateful, inputs, consumer: null });
    return vertex;
  }

  const builder: PlanBuilder = { plan, add, addVertex };
  return builder;
}

export const SOURCE: Operator = Object.freeze({
  beginPass() {},
  process: (batch: ColumnBatch) => batch,
  endPass: () => NO_BATCHES,
});
