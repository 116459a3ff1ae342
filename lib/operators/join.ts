import { NO_ROWS } from "../columns/column-batch.js";
import type { JoinCondition, Side } from "../plan/join-condition.js";
import { joinOutputWatermark } from "../plan/join-condition.js";
import type { JoinType } from "../plan/logical-plan.js";
import type { Row, Schema } from "../plan/schema.js";
import { type Micros, toMicros } from "../time/event-time.js";
import { compileCondition } from "./evaluate/evaluate.js";
import { boundsOf, type EventTimeColumn } from "./event-time-column.js";
import { inBatches } from "./in-batches.js";
import { matchPass } from "./join-matching.js";
import { joinOutput } from "./join-output.js";
import { joinSide } from "./join-side.js";
import { type JoinState, joinTables, openJoinState } from "./join-state.js";
import { lateGate } from "./late-gate.js";
import type { PassContext, StatefulOperator } from "./operator.js";
import { noCounts, operatorMetrics } from "./pass-counts.js";

interface JoinInputSpec {
  readonly schema: Schema;
  /** Null: the side has no watermark, its rows are never late. */
  readonly eventTime: EventTimeColumn | null;
}

/** Input 0 is the left, input 1 the right; rows that the condition's implied filters drop (SEMANTICS F8, A11) do not come here. */
export interface JoinSpec {
  readonly operatorId: string;
  readonly type: Exclude<JoinType, "leftAnti">;
  readonly condition: JoinCondition;
  readonly left: JoinInputSpec;
  readonly right: JoinInputSpec;
  readonly using?: readonly string[] | undefined;
}

const SIDES: readonly Side[] = ["left", "right"];

const PRESERVED: Readonly<Record<JoinSpec["type"], readonly Side[]>> = {
  inner: [],
  leftSemi: [],
  leftOuter: ["left"],
  rightOuter: ["right"],
  fullOuter: ["left", "right"],
};

/**
 * The symmetric hash join of two streams (SEMANTICS F). Rows wait until `endPass`, so that neither chunks nor the order
 * of feeding show; there they are matched, stored, and, past their bound, evicted and padded.
 */
export function joinOperator(spec: JoinSpec): StatefulOperator {
  const { operatorId, condition } = spec;
  const tables = joinTables(operatorId);
  const schemas = { left: spec.left.schema, right: spec.right.schema };
  const sides = {
    left: joinSide("left", condition, spec.left.eventTime, schemas),
    right: joinSide("right", condition, spec.right.eventTime, schemas),
  };
  const output = joinOutput(spec.type, schemas, spec.using);
  const residual = condition.residual.map((expression) => compileCondition(expression, schemas));
  const preserved = new Set(PRESERVED[spec.type]);
  const gates = { left: lateGate(operatorId, spec.left.eventTime), right: lateGate(operatorId, spec.right.eventTime) };
  let context: PassContext;
  let waiting: { readonly left: Row[]; readonly right: Row[] };
  let count = noCounts();
  let total = 0;

  function* joined(state: JoinState, evictThrough: Micros): Generator<Row, void> {
    yield* matchPass({
      semi: spec.type === "leftSemi",
      waiting,
      sides,
      preserved,
      state,
      evictThrough,
      matches: (left, right) => residual.every((holds) => holds(left, right)),
      output,
      counts: count,
    });
    for (const side of SIDES) {
      if (preserved.has(side)) {
        for (const { value } of state[side].expired(evictThrough)) {
          if (!value.matched) yield output.pad(side, value.row);
        }
      }
      count.removed += state[side].expireThrough(evictThrough);
    }
  }

  return {
    operatorId,
    tables: [tables.left, tables.right, tables.sequence],
    wantsNoDataPass: condition.retentionMs.left !== null || condition.retentionMs.right !== null,
    outputWatermark: (inputWatermark) => joinOutputWatermark(condition, inputWatermark),
    beginPass(next) {
      context = next;
      waiting = { left: [], right: [] };
      count = noCounts();
      for (const side of SIDES) gates[side].begin(next, count);
    },
    process(batch, input) {
      const side = SIDES[input]!;
      const { eventTime } = spec[side];
      const boundAt = eventTime === null ? null : boundsOf(eventTime, batch);
      for (const row of batch.selection) {
        const bound = boundAt === null ? null : boundAt(row);
        if (gates[side].admit(batch, row, bound)) waiting[side].push(batch.row(row));
      }
      return NO_ROWS;
    },
    *endPass() {
      const state = openJoinState(context.state, tables);
      yield* inBatches(joined(state, toMicros(context.watermarkForEviction)));
      state.close();
      total = state.left.size + state.right.size;
    },
    metrics: () => operatorMetrics("symmetricHashJoin", operatorId, total, count),
  };
}
