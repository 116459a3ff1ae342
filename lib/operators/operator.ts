import type { ColumnBatch, Origin } from "../columns/column-batch.js";
import type { Row } from "../plan/schema.js";

export type { Origin } from "../columns/column-batch.js";

import type { StateView, TableSpec } from "../state/state-store.js";
import type { EventTime, Watermark } from "../time/event-time.js";

/** Of an operator that has said all it had to say by the end of a pass. */
export const NO_BATCHES: readonly ColumnBatch[] = Object.freeze([]);

/** What one pass is told: values, never a clock. Each operator gets its own pair of watermarks (SEMANTICS A2, H2, H3). */
export interface PassContext {
  readonly watermarkForLateEvents: Watermark;
  readonly watermarkForEviction: Watermark;
  /** Epoch ms, read once per micro-batch, never goes back. */
  readonly processingTime: number;
  /** The last pass of a query: processing-time timers and timeouts fire whenever they are due. */
  readonly drains?: boolean;
  readonly state: StateView;
  /** Where rows that are not accepted go; the operator counts them, the runtime writes them. */
  readonly late: (row: LateRow) => void;
  readonly withoutTime: (row: RejectedRow) => void;
}

export interface LateRow {
  readonly operatorId: string;
  readonly row: Row;
  readonly origin: Origin | null;
  readonly eventTime: EventTime | null;
  readonly watermark: Watermark;
  /** The windows (or session) that the row missed, if any. */
  readonly missed?: readonly { readonly start: EventTime; readonly end: EventTime }[];
  /** Some of its sliding windows were open: it counts as accepted (SEMANTICS 0.3). */
  readonly partial?: true;
  readonly reason?: "drained";
}

export interface RejectedRow {
  readonly operatorId: string;
  readonly row: Row;
  readonly origin: Origin | null;
  /** `no-event-time`, `session-gap`, `row-too-large` */
  readonly reason: string;
  /** In words; absent: the operator cannot place the row in time. */
  readonly detail?: string;
}

/** Spark's words and numbers (golden/README.md), ours after the blank line. */
export interface OperatorMetrics {
  readonly operatorName: string;
  readonly operatorId: string;
  readonly numRowsTotal: number;
  readonly numRowsUpdated: number;
  readonly numRowsRemoved: number;
  readonly numRowsDroppedByWatermark: number;
  readonly numDroppedDuplicateRows?: number;

  /** rowsIn = accepted + late + withoutTime; each counted where it happens, none derived. */
  readonly rowsIn: number;
  readonly accepted: number;
  readonly numLateInputRows: number;
  readonly withoutTime: number;
  readonly partlyLate: number;
}

/**
 * A physical operator: synchronous, no I/O, no clock. One per plan node, made once per cold start, reused for every pass:
 * whatever it remembers between `beginPass` and `endPass` is of that pass alone.
 * A pass: `beginPass`, then `process` any number of times (per input), then `endPass`, in topological order,
 * so that everything an operator emits reaches its consumer's `process` before the consumer's `endPass`.
 * `endPass` is asked for one batch after another, to its end: what it makes of five million groups never stands in one array.
 */
export interface Operator {
  beginPass(context: PassContext): void;
  process(batch: ColumnBatch, input: number): ColumnBatch;
  endPass(): Iterable<ColumnBatch>;
}

export interface StatefulOperator extends Operator {
  readonly operatorId: string;
  readonly tables: readonly TableSpec[];
  /** The state variables of a user's processor, in words that a fingerprint keeps. */
  readonly variables?: readonly string[];
  /** Whether an advanced watermark is worth a pass without data (SEMANTICS A9). */
  readonly wantsNoDataPass: boolean;
  /** The watermark that its output carries, given that of its input (SEMANTICS H3). */
  outputWatermark(inputWatermark: Watermark): Watermark;
  /** Of the pass just ended. */
  metrics(): OperatorMetrics;
}
