import type { ColumnBatch } from "../columns/column-batch.js";
import type { LateRow, OperatorMetrics, RejectedRow, StatefulOperator } from "../operators/operator.js";
import type { Row, Schema } from "../plan/schema.js";
import type { StateView, TableSpec } from "../state/state-store.js";
import type { EventTime, Watermark } from "../time/event-time.js";
import type { WatermarkStep } from "../time/watermark-steps.js";

/** A source node of the plan. A self join or self union has two nodes with one `name`, each fed the same records. */
export interface PhysicalSource {
  readonly name: string;
  readonly schema: Schema;
  /** The columns that operators read one by one; null or absent: whole rows. */
  readonly reads?: ReadonlySet<string> | null;
}

/** A `withWatermark` node, in Spark's order: downstream first, left before right. */
export interface WatermarkNodeInfo {
  /** Stable over restarts and added branches: derived from the sources below it, its column and delay, not from its position. */
  readonly id: string;
  readonly delayMs: number;
  /** Indexes of the source nodes below it. */
  readonly sources: readonly number[];
}

/** What one watermark node saw of one shard in one pass. */
export interface Observation {
  readonly node: number;
  readonly source: number;
  readonly shard: string;
  readonly maxEventTime: EventTime;
  /** Only if arrivals were given. */
  readonly steps: readonly WatermarkStep[];
}

/** Event-time statistics of the first watermark node that saw a row (SEMANTICS A8, 0.6). */
export interface EventTimeStats {
  readonly max: EventTime;
  readonly min: EventTime;
  readonly avg: number;
  readonly count: number;
}

export interface PassOptions {
  readonly watermarkForLateEvents: Watermark;
  readonly watermarkForEviction: Watermark;
  readonly processingTime: number;
  readonly drains?: boolean;
  readonly state: StateView;
}

/** Rows of one source node from one shard. `arrivals[record]` is epoch ms of arrival, null where the source has none. */
export interface SourceChunk {
  readonly batch: ColumnBatch;
  readonly shard: string;
  readonly arrivals: readonly number[] | null;
  /** Rows stamped further ahead of their arrival than this do not move the watermark. */
  readonly maxFutureSkewMs: number | null;
}

/** What a pass says to the world, or the part of it that was said since it was last asked. */
export interface PassOutput {
  readonly output: readonly Row[];
  readonly late: readonly LateRow[];
  readonly withoutTime: readonly RejectedRow[];
}

/** What is known of a pass when it has ended. */
export interface PassResult {
  readonly numOutputRows: number;
  readonly numLateRows: number;
  readonly numRowsWithoutTime: number;
  readonly observations: readonly Observation[];
  readonly eventTime: EventTimeStats | null;
  /** Downstream first, a join's left before its right: Spark's order. */
  readonly stateOperators: readonly OperatorMetrics[];
  readonly rowsIgnoredForWatermark: number;
  /** Rows removed by filters, counted there. */
  readonly filtered: number;
}

/**
 * A plan made runnable, once per cold start. One pass at a time: `beginPass`, any number of `process`, `endPass`.
 * Every source node's rows of a pass are fed in node order where the answer depends on it (union, first/last).
 */
export interface PhysicalQuery {
  readonly sources: readonly PhysicalSource[];
  readonly watermarks: readonly WatermarkNodeInfo[];
  /** Spark's order. */
  readonly stateful: readonly StatefulOperator[];
  readonly tables: readonly TableSpec[];
  readonly outputSchema: Schema;
  readonly wantsNoDataPass: boolean;
  beginPass(options: PassOptions): void;
  /** Returns how many rows were read: all, but for those below a limit that has its fill (SEMANTICS G2). */
  process(source: number, input: SourceChunk): number;
  /** Gives all output since `beginPass`, in parts, and ends the pass as its parts are taken. */
  endPass(): Generator<PassOutput, PassResult>;
}
