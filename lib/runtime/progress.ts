import type { OperatorMetrics } from "../operators/operator.js";
import type { EventTimeStats, PassResult } from "../planner/physical-query.js";
import type { Position } from "../sources/source.js";
import type { Watermark } from "../time/event-time.js";
import type { InputWatermark } from "./input-watermarks.js";
import { instantOf } from "./instant.js";

/** Milliseconds spent in each step; the copy kept in the log entry lacks `commit`, `publish` and `triggerExecution`. */
export interface StepDurations {
  readonly decode: number;
  readonly load: number;
  /** The passes over all attempts, and their output made into bytes; Spark's `addBatch` is both. */
  readonly run: number;
  readonly stage: number;
  readonly addBatch: number;
  readonly commit?: number;
  readonly publish?: number;
  readonly triggerExecution?: number;
}

export interface StateOperatorProgress {
  readonly operatorName: string;
  readonly numRowsTotal: number;
  readonly numRowsUpdated: number;
  readonly numRowsRemoved: number;
  /** Spark's count: distinct late groups where the operator aggregates, rows elsewhere. */
  readonly numRowsDroppedByWatermark: number;
  /** Estimated heap bytes of its state rows. */
  readonly memoryUsedBytes: number;
  readonly customMetrics: Readonly<Record<string, number>>;
  readonly operatorId: string;
  /** Rows, where `numRowsDroppedByWatermark` may count groups. */
  readonly numLateInputRows: number;
  readonly rowsIn: number;
  readonly accepted: number;
  readonly withoutTime: number;
}

export interface SourceProgress {
  readonly description: string;
  /** By shard: `sequence` or `sequence.sub`. */
  readonly startOffset: Readonly<Record<string, string>>;
  readonly endOffset: Readonly<Record<string, string>>;
  readonly numInputRows: number;
}

/** One micro-batch, in Spark's field names; ours after the blank line (DESIGN.md section 7). */
export interface QueryProgress {
  readonly id: string;
  readonly runId: string;
  readonly name: string;
  readonly batchId: number;
  readonly timestamp: string;
  readonly numInputRows: number;
  readonly inputRowsPerSecond: number;
  readonly processedRowsPerSecond: number;
  readonly durationMs: StepDurations;
  /** ISO instants; `watermark` is what the last pass evicted with, null before the first row. */
  readonly eventTime: {
    readonly max?: string;
    readonly min?: string;
    readonly avg?: string;
    readonly watermark: string | null;
  };
  readonly stateOperators: readonly StateOperatorProgress[];
  readonly sources: readonly SourceProgress[];
  readonly sink: { readonly description: string; readonly numOutputRows: number };

  readonly numLateInputRows: number;
  readonly partlyLateRows: number;
  readonly drainedRows: number;
  readonly rowsIgnoredForWatermark: number;
  readonly malformedRows: number;
  readonly withoutTimeRows: number;
  readonly filteredRows: number;
  readonly deliveredRecords: number;
  readonly skippedRecords: number;
  /** Of those skipped, the records of retired shards: the source itself no longer lists these. */
  readonly ancientRecords: number;
  readonly decodedRecords: number;
  readonly heartbeats: number;
  /** Fresh records below a run of consumed ones, and the most runs above one: alarming above half of those that are kept. */
  readonly outOfOrderRecords: number;
  readonly runsAboveOutOfOrder: number;
  readonly conflicts: number;
  readonly coldStart: boolean;
  /** `source/shard` that keeps the watermark below what was read; `source/*`: all of the source. */
  readonly heldBackBy: string | null;
  /** Per source and shard; absent in records of versions before it. */
  readonly watermarks?: readonly InputWatermark[];
  readonly stateBytes: number;

  /** What finding out why needs (docs/doctor.md); absent in records of versions before them. Late rows by `source/shard`, of the 8 with most. */
  readonly numLateInputRowsByShard?: Readonly<Record<string, number>>;
  /** What the invocation had when the batch began; null: no limit. */
  readonly timeAvailableMs?: number | null;
  /** Committed batches before this one whose output is not known to be published. */
  readonly unpublishedBatches?: number;
  /** Sentences about event times that are probably read in the wrong unit, or come from a wrong clock. */
  readonly eventTimeWarnings?: readonly string[];
  /** Why some state is kept for ever, as codes of the plan's warnings, or `complete-mode`. */
  readonly neverEvicts?: readonly string[];
  /** Of a query with several state partitions; absent: it has one, and one stage. */
  readonly stage?: StageProgress;
}

/**
 * Which stage of a query with several state partitions this is the progress of. In the state stage `deliveredRecords`, `skippedRecords` and
 * `decodedRecords` count rows that crossed from the shuffle stage.
 */
export type StageProgress =
  | {
      readonly name: "shuffle";
      /** The ring of the source shard. */
      readonly partition: string;
      /** Rows at the cut. */
      readonly rowsShuffled: number;
      readonly rowsTooLarge: number;
    }
  | {
      readonly name: "state";
      readonly partition: number;
      /** Records of the shuffle stream that were consumed, those that came again, of retired rings, of an incarnation before. */
      readonly shuffleRecords: number;
      readonly repeatedShuffleRecords: number;
      readonly ancientShuffleRecords: number;
      readonly foreignShuffleRecords: number;
    };

/** Counters of one commit are sums over its passes; `numRowsTotal` is that of the last. */
export function sumOperators(passes: readonly PassResult[]): readonly OperatorMetrics[] {
  const last = passes.at(-1)?.stateOperators ?? [];
  return last.map((metrics, at) => {
    const all = passes.map(({ stateOperators }) => stateOperators[at]!);
    const sum = (read: (metrics: OperatorMetrics) => number) => all.reduce((total, each) => total + read(each), 0);
    return {
      ...metrics,
      numRowsUpdated: sum((each) => each.numRowsUpdated),
      numRowsRemoved: sum((each) => each.numRowsRemoved),
      numRowsDroppedByWatermark: sum((each) => each.numRowsDroppedByWatermark),
      ...(metrics.numDroppedDuplicateRows === undefined
        ? {}
        : { numDroppedDuplicateRows: sum((each) => each.numDroppedDuplicateRows ?? 0) }),
      rowsIn: sum((each) => each.rowsIn),
      accepted: sum((each) => each.accepted),
      numLateInputRows: sum((each) => each.numLateInputRows),
      withoutTime: sum((each) => each.withoutTime),
      partlyLate: sum((each) => each.partlyLate),
    };
  });
}

export const operatorProgress = (metrics: OperatorMetrics, memoryUsedBytes: number): StateOperatorProgress => ({
  operatorName: metrics.operatorName,
  numRowsTotal: metrics.numRowsTotal,
  numRowsUpdated: metrics.numRowsUpdated,
  numRowsRemoved: metrics.numRowsRemoved,
  numRowsDroppedByWatermark: metrics.numRowsDroppedByWatermark,
  memoryUsedBytes,
  customMetrics:
    metrics.numDroppedDuplicateRows === undefined ? {} : { numDroppedDuplicateRows: metrics.numDroppedDuplicateRows },
  operatorId: metrics.operatorId,
  numLateInputRows: metrics.numLateInputRows,
  rowsIn: metrics.rowsIn,
  accepted: metrics.accepted,
  withoutTime: metrics.withoutTime,
});

export const eventTimeProgress = (stats: EventTimeStats | null, watermark: Watermark): QueryProgress["eventTime"] => ({
  ...(stats === null ? {} : { max: instant(stats.max), min: instant(stats.min), avg: instant(stats.avg) }),
  watermark: instantOf(watermark),
});

export const offsetText = ({ sequence, sub }: Position): string => (sub === 0 ? sequence : `${sequence}.${sub}`);

const instant = (ms: number): string => instantOf(ms)!;
