import { type ColumnBatch, NO_ROWS, type Origin } from "../columns/column-batch.js";
import { NO_BATCHES, type Operator } from "../operators/operator.js";
import { unionOperator } from "../operators/union.js";
import type { LogicalNode, QueryDefinition } from "../plan/logical-plan.js";
import { cutOf, hasState } from "../plan/partitioning/cut.js";
import type { Row, Schema } from "../plan/schema.js";
import { makeRunnable } from "./make-runnable.js";
import type { PhysicalQuery } from "./physical-query.js";
import { type PlanOptions, planBuilder, planQuery, SOURCE } from "./plan-query.js";
import { pushDownFilters } from "./push-down-filters.js";

/** Rows that came to the cut in the pass just ended, in the order of arrival; `origin.source` is the input. */
interface CutRows {
  readonly rows: readonly Row[];
  readonly origin: readonly Origin[];
}

/** All that stands before the cut: no state, every watermark. */
export interface ShuffleQuery {
  readonly query: PhysicalQuery;
  /** By input: the columns that cross. */
  readonly schemas: readonly Schema[];
  /** One per cut point. */
  cutRows(): readonly CutRows[];
}

/** The first stage of a query with several state partitions. */
export function planShuffleStage(definition: QueryDefinition, options: PlanOptions = {}): ShuffleQuery {
  const { plan, add, addVertex } = planBuilder(definition, options);
  const { points, sources } = cutOf(pushDownFilters(definition.plan));
  const collectors = points.map(({ top }) => {
    const collector = cutCollector();
    return { collector, vertex: addVertex(collector.operator, [add(top)]) };
  });
  addVertex(unionOperator(), collectors);
  return {
    // What comes to the cut goes on as whole rows.
    query: makeRunnable({ ...plan, sources: plan.sources.map((source) => ({ ...source, reads: null })) }),
    schemas: inputSchemas(sources.length, points),
    cutRows: () => collectors.map(({ collector }) => collector.take()),
  };
}

/**
 * The second stage: sources are the inputs of the cut, under the numbers of the query's own sources; what a watermark node knows comes
 * with the evidence of the rings, so there are only their descriptions.
 */
export function planStateStage(definition: QueryDefinition, options: PlanOptions = {}): PhysicalQuery {
  const whole = planQuery(definition, options);
  const { plan, add } = planBuilder(definition, options, (node, builder) => {
    if (hasState(node)) return null;
    const inputs = cutOf(node).sources.map(({ name }) => {
      const vertex = builder.addVertex(SOURCE, []);
      plan.sources.push({ name, schema: node.schema, reads: null, vertex });
      return { vertex, source: plan.sources.length - 1 };
    });
    const vertex = inputs.length === 1 ? inputs[0]!.vertex : builder.addVertex(unionOperator(), inputs);
    return { vertex, sources: inputs.map(({ source }) => source) };
  });
  add(pushDownFilters(definition.plan));
  const stage = makeRunnable(plan);
  return { ...stage, watermarks: whole.watermarks, wantsNoDataPass: whole.wantsNoDataPass };
}

function inputSchemas(
  count: number,
  points: readonly { readonly top: LogicalNode; readonly inputs: readonly number[] }[],
) {
  const schemas: Schema[] = new Array(count);
  for (const { top, inputs } of points) for (const input of inputs) schemas[input] = top.schema;
  return schemas;
}

/** Keeps what comes to it, and says nothing: the end of the first stage. */
function cutCollector(): { readonly operator: Operator; take(): CutRows } {
  let rows: Row[] = [];
  let origin: Origin[] = [];
  const operator: Operator = {
    beginPass() {
      rows = [];
      origin = [];
    },
    process(batch: ColumnBatch) {
      for (const row of batch.selection) {
        rows.push(batch.row(row));
        origin.push(batch.origin(row)!);
      }
      return NO_ROWS;
    },
    endPass: () => NO_BATCHES,
  };
  return { operator, take: () => ({ rows, origin }) };
}
