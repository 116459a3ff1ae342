import type { AggregateNode, AggregateSpec, LogicalNode, SessionSpec, WindowSpec } from "../logical-plan.js";
import { makeSchema } from "../make-schema.js";
import { operatorId } from "../operator-id.js";
import { requireWindowable } from "../require-event-time.js";
import { requireField, resolveExpression } from "../resolve.js";
import type { DataType, Schema } from "../schema.js";
import { resolveAggregate } from "./aggregate-type.js";
import { isFunctionRef, multipleWindows, type ProjectionInput, resolveProjection } from "./project-node.js";

/** An aggregate before its type is known; `type` is taken for user-defined ones alone. */
export interface AggregateInput extends Omit<AggregateSpec, "type"> {
  readonly type?: DataType;
}

export interface GroupingInput {
  /** From `makeWindow` or `makeSession`. */
  readonly window?: WindowSpec | SessionSpec;
  readonly keys: readonly ProjectionInput[];
  readonly aggregates: readonly AggregateInput[];
  readonly operatorId?: string;
}

/** Output: the window, the keys, the aggregates. @throws `unknown-column`, `event-time-type`, `multiple-windows`, `duplicate-column`, `type-mismatch` */
export function aggregateNode(input: LogicalNode, grouping: GroupingInput): AggregateNode {
  const { window } = grouping;
  if (window !== undefined) checkWindow(window, input.schema);
  const keys = grouping.keys.map((key) => resolveProjection(key, input.schema));
  const windowKeys = grouping.keys.filter(
    ({ value }) => !isFunctionRef(value) && value.kind === "call" && value.fn === "windowOf",
  ).length;
  if (windowKeys + (window === undefined ? 0 : 1) > 1) throw multipleWindows();
  const aggregates = grouping.aggregates.map((aggregate) => resolveAggregate(aggregate, input.schema));
  return Object.freeze({
    kind: "aggregate",
    input,
    operatorId: operatorId(grouping.operatorId, window?.kind === "session" ? "session" : "aggregate", [
      window === undefined ? "" : "window",
      ...grouping.keys.map((key) => key.name),
    ]),
    ...(window === undefined ? {} : { window }),
    keys: Object.freeze(keys.map(({ projection }) => projection)),
    aggregates: Object.freeze(aggregates.map(({ spec }) => spec)) as readonly AggregateSpec[],
    schema: makeSchema([
      ...(window === undefined ? [] : [{ name: window.as, type: "window" as const, nullable: false }]),
      ...keys.map(({ projection, resolved }) => ({ name: projection.name, ...resolved })),
      ...aggregates.map(({ spec, nullable }) => ({ name: spec.as, type: spec.type, nullable })),
    ]),
  });
}

function checkWindow(window: WindowSpec | SessionSpec, schema: Schema): void {
  requireWindowable(requireField(schema, window.column));
  if (window.kind !== "session" || typeof window.gap !== "object" || window.gap === null) return;
  if ("cases" in window.gap) for (const { when } of window.gap.cases) resolveExpression(when, schema);
}
