import { internalError } from "../errors.js";
import { type Chunk, NO_ROWS, type Operator } from "../operators/operator.js";
import type { LogicalNode, QueryDefinition, WatermarkNode } from "../plan/logical-plan.js";
import type { Row } from "../plan/schema.js";
import { inputsOf, isStreaming } from "../plan/walk.js";
import type { EventTime } from "../time/event-time.js";
import { makeRunnable, type OperatorPlan } from "./make-runnable.js";
import { isStatefulOperator } from "./operator-graph.js";
import type { PhysicalQuery } from "./physical-query.js";
import { planOperator, planTimeCast, planWatermark } from "./plan-operator.js";
import { pushDownFilters } from "./push-down-filters.js";
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
  const context = { definition, staticRows: options.staticRows ?? noTables };
  const plan: OperatorPlan = {
    steps: [],
    sources: [],
    watermarks: [],
    outputSchema: definition.plan.schema,
    oneWatermark: definition.options.allowMultipleStatefulOperators === false,
  };

  const observerOf = (nodeId: string): WatermarkObserver => {
    const { onEventTime } = options;
    return watermarkObserver(onEventTime === undefined ? null : (eventTime) => onEventTime(nodeId, eventTime));
  };

  /** Adds a node after its inputs; returns its step and the indexes of the sources below it. */
  function add(node: LogicalNode): { readonly step: number; readonly sources: readonly number[] } {
    if (node.kind === "source") {
      plan.sources.push({ name: node.name, schema: node.schema, step: plan.steps.length });
      return { step: addStep(SOURCE, []), sources: [plan.sources.length - 1] };
    }
    const inputs = inputsOf(node).filter(isStreaming).map(add);
    const sources = inputs.flatMap((input) => input.sources);
    if (node.kind !== "withWatermark") {
      const cast = planTimeCast(node);
      const below = cast === null ? inputs : [{ step: addStep(cast, inputs) }];
      return { step: addStep(planOperator(node, context), below), sources };
    }
    const id = watermarkId(node, sources);
    const observer = observerOf(id);
    const step = addStep(planWatermark(node, observer), inputs);
    plan.watermarks.push({ info: { id, delayMs: node.delayMs, sources }, observer, step });
    return { step, sources };
  }

  /**
   * Stable over restarts: of what the node reads; equal ones get an ordinal. The delay is part of it, so that a changed delay
   * applies to event times seen from then on and not to evidence of before (SEMANTICS I2).
   */
  function watermarkId(node: WatermarkNode, sources: readonly number[]): string {
    const names = [...new Set(sources.map((source) => plan.sources[source]!.name))];
    const id = `${names.join("+")}:${node.column}:${node.delayMs}`;
    const equals = plan.watermarks.filter(({ info }) => info.id === id || info.id.startsWith(`${id}#`)).length;
    return equals === 0 ? id : `${id}#${equals + 1}`;
  }

  function addStep(operator: Operator, below: readonly { readonly step: number }[]): number {
    const step = plan.steps.length;
    const inputs = below.map((input) => input.step);
    inputs.forEach((input, index) => {
      plan.steps[input]!.consumer = { step, input: index };
    });
    plan.steps.push({ operator, stateful: isStatefulOperator(operator) ? operator : null, inputs, consumer: null });
    return step;
  }

  add(pushDownFilters(definition.plan));
  return makeRunnable(plan);
}

const SOURCE: Operator = Object.freeze({ beginPass() {}, process: (chunk: Chunk) => chunk, endPass: () => NO_ROWS });
