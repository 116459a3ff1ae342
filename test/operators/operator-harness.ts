import type { LateRow, OperatorMetrics, RejectedRow, StatefulOperator } from "../../lib/operators/operator.js";
import type { Row } from "../../lib/plan/schema.js";
import { memoryState } from "../../lib/state/staged-state.js";
import { NO_WATERMARK } from "../../lib/time/event-time.js";
import { placed } from "./batches.js";

/** One pass: rows, and what the pass is told. `chunks` feeds the same rows in several chunks. */
export interface Pass {
  readonly rows?: readonly Row[];
  readonly chunks?: readonly (readonly Row[])[];
  readonly late?: number;
  readonly evict?: number;
  readonly processingTime?: number;
  /** Throw the pass away, as after a lost race. */
  readonly discard?: true;
}

export interface PassOutcome {
  readonly output: readonly Row[];
  readonly late: readonly LateRow[];
  readonly withoutTime: readonly RejectedRow[];
  readonly metrics: OperatorMetrics;
}

/** Runs passes of one operator over a state that is committed after each unless discarded, and checks its accounting. */
export function operatorHarness(operator: StatefulOperator, state = memoryState()) {
  return (pass: Pass): PassOutcome => {
    const staged = state.stage();
    const late: LateRow[] = [];
    const withoutTime: RejectedRow[] = [];
    operator.beginPass({
      watermarkForLateEvents: pass.late ?? NO_WATERMARK,
      watermarkForEviction: pass.evict ?? NO_WATERMARK,
      processingTime: pass.processingTime ?? 0,
      state: staged,
      late: (row) => late.push(row),
      withoutTime: (row) => withoutTime.push(row),
    });
    const output: Row[] = [];
    for (const rows of pass.chunks ?? [pass.rows ?? []]) {
      output.push(...operator.process(placed(rows), 0).rows());
    }
    for (const batch of operator.endPass()) output.push(...batch.rows());
    const metrics = operator.metrics();
    if (metrics.rowsIn !== metrics.accepted + metrics.numLateInputRows + metrics.withoutTime) {
      throw new Error(`The accounting does not close: ${JSON.stringify(metrics)}`);
    }
    if (pass.discard === undefined) state.commit(staged);
    return { output, late, withoutTime, metrics };
  };
}

/** [total, updated, removed, dropped] */
export const counters = ({ metrics }: PassOutcome): readonly number[] => [
  metrics.numRowsTotal,
  metrics.numRowsUpdated,
  metrics.numRowsRemoved,
  metrics.numRowsDroppedByWatermark,
];
