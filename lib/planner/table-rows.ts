import { rowBatch } from "../columns/column-batch.js";
import { internalError, userError } from "../errors.js";
import type { Operator, PassContext } from "../operators/operator.js";
import type { LogicalNode } from "../plan/logical-plan.js";
import type { Row } from "../plan/schema.js";
import { inputsOf } from "../plan/walk.js";
import { NO_WATERMARK } from "../time/event-time.js";
import type { PlanContext } from "./plan-context.js";

const TABLE_VERBS: readonly LogicalNode["kind"][] = ["project", "filter", "map", "flatMap", "union"];

/** The rows of a plan over static tables alone, computed once: what is joined may be selected, filtered and mapped first. */
export function tableRows(
  node: LogicalNode,
  context: PlanContext,
  planOperator: (node: Exclude<LogicalNode, { kind: "withWatermark" }>, context: PlanContext) => Operator,
): readonly Row[] {
  if (node.kind === "static") return context.staticRows(node.name);
  if (node.kind === "withWatermark" || !TABLE_VERBS.includes(node.kind)) {
    throw userError(
      "static-verb",
      `A static table cannot go through ${node.kind}.`,
      "Prepare the table with select, filter, map and union alone.",
    );
  }
  const operator = planOperator(node, context);
  operator.beginPass(ONCE);
  return inputsOf(node).flatMap((input, index) =>
    operator.process(rowBatch(tableRows(input, context, planOperator)), index).rows(),
  );
}

const ONCE: PassContext = Object.freeze({
  watermarkForLateEvents: NO_WATERMARK,
  watermarkForEviction: NO_WATERMARK,
  processingTime: 0,
  state: {
    table: () => {
      throw internalError("static-state", "A static table was given to an operator with state.");
    },
  },
  late: () => {},
  withoutTime: () => {},
});
