import type { InputWatermark } from "../runtime/input-watermarks.js";
import type { QueryIdleEvent } from "../runtime/listener.js";
import type { QueryProgress, StepDurations } from "../runtime/progress.js";
import type { Look } from "./finding-log.js";

type Unit = "Count" | "Bytes" | "Milliseconds";
type Measures = Readonly<Record<string, readonly [value: number, unit: Unit]>>;

const NAMESPACE = "Tidemark";

/**
 * CloudWatch metrics by embedded metric format: a line of log each, no call. Dimensions are exactly query, query and operator, or query and stage, as
 * infra's alarms ask for them: a metric with one dimension more is another metric, and costs another one's price.
 */
export function metricLines(progress: QueryProgress, now: number): readonly string[] {
  const { name: query, durationMs, eventTime, stateOperators } = progress;
  // Each thing is counted in the stage where it happens: a query in two stages reads no row twice.
  const read: Measures = {
    numInputRows: [progress.numInputRows, "Count"],
    rowsIgnoredForWatermark: [progress.rowsIgnoredForWatermark, "Count"],
    runsAboveOutOfOrder: [progress.runsAboveOutOfOrder, "Count"],
  };
  const made: Measures = {
    numOutputRows: [progress.sink.numOutputRows, "Count"],
    numLateInputRows: [progress.numLateInputRows, "Count"],
    stateBytes: [progress.stateBytes, "Bytes"],
    ...lags({ ...progress, watermark: eventTime.watermark }, now),
  };
  const stage = progress.stage?.name;
  const ofQuery: Measures = {
    ...(stage === "state" ? {} : read),
    ...(stage === "shuffle" ? {} : made),
    malformedRows: [progress.malformedRows, "Count"],
    conflicts: [progress.conflicts, "Count"],
    ...durationsOf(durationMs),
  };
  return [
    line(now, { query }, ofQuery),
    ...(progress.stage === undefined ? [] : [line(now, { query, stage: progress.stage.name }, ofStage(progress))]),
    ...stateOperators.map(({ operatorId, numRowsTotal, numRowsRemoved, numRowsDroppedByWatermark, memoryUsedBytes }) =>
      line(
        now,
        { query, operator: operatorId },
        {
          numRowsTotal: [numRowsTotal, "Count"],
          numRowsRemoved: [numRowsRemoved, "Count"],
          numRowsDroppedByWatermark: [numRowsDroppedByWatermark, "Count"],
          memoryUsedBytes: [memoryUsedBytes, "Bytes"],
        },
      ),
    ),
  ];
}

/** What the tick's look at the last batches found; a warning is for the log, an error for the night. */
export const findingsLine = (query: string, { findings, lateRowsFactor }: Look, now: number): string =>
  line(
    now,
    { query },
    {
      errorFindings: [findings.filter(({ severity }) => severity === "error").length, "Count"],
      lateRowsFactor: [lateRowsFactor, "Count"],
    },
  );

/** Cold loads above all: nothing says which environment gets which shard (docs/design/partitions.md S21). */
function ofStage({ stage, coldStart, durationMs, malformedRows }: QueryProgress): Measures {
  const common: Measures = {
    coldLoads: [coldStart ? 1 : 0, "Count"],
    triggerExecution: [durationMs.triggerExecution ?? 0, "Milliseconds"],
    malformedRows: [malformedRows, "Count"],
  };
  if (stage?.name === "shuffle") return { ...common, rowsShuffled: [stage.rowsShuffled, "Count"] };
  if (stage === undefined) return common;
  return {
    ...common,
    shuffleRecords: [stage.shuffleRecords, "Count"],
    repeatedShuffleRecords: [stage.repeatedShuffleRecords, "Count"],
  };
}

/** A record between the stages is lost: its partition stands still until a person has acted (docs/shuffle-gap.md). */
export const shuffleGapLine = (query: string, now: number): string =>
  line(now, { query }, { shuffleGaps: [1, "Count"] });

/** Of a tick that had nothing to commit: without it the lag of a silent stream would stop growing. */
export const idleLine = (event: QueryIdleEvent, now: number): string =>
  line(now, { query: event.name }, lags(event, now));

const STEPS = ["decode", "load", "run", "stage", "commit", "publish"] as const;

const durationsOf = (durations: StepDurations): Measures => ({
  ...Object.fromEntries(STEPS.map((step) => [step, [durations[step] ?? 0, "Milliseconds"] as const])),
  triggerExecution: [durations.triggerExecution ?? 0, "Milliseconds"],
});

interface EventTimeStand {
  /** The incarnation: when the query began, in ms. */
  readonly id: string;
  readonly watermark: string | null;
  readonly watermarks?: readonly InputWatermark[];
}

/** How far behind the clock the watermark is, and what was read of the slowest shard. An input never heard counts from the query's beginning. */
function lags({ id, watermark, watermarks = [] }: EventTimeStand, now: number): Measures {
  const since = (instant: string | null) => now - (instant === null ? Number(id) : Date.parse(instant));
  const hasWatermark = watermark !== null || watermarks.some(({ delayMs }) => delayMs !== null);
  const unread = watermarks.map(({ readThrough }) => since(readThrough));
  return {
    ...(hasWatermark ? { watermarkLag: [since(watermark), "Milliseconds"] } : {}),
    ...(unread.length > 0 ? { readThroughLag: [Math.max(...unread), "Milliseconds"] } : {}),
  };
}

/** The invocation answers with the record's number and so counts as no error of Lambda's: this is what an alarm can see. */
export const failedRecordLine = (query: string, now: number): string =>
  line(now, { query }, { failedRecords: [1, "Count"] });

/** A delivery of nothing but repeats commits nothing, so no progress record counts them. */
export const repeatedRecordsLine = (query: string, records: number, now: number): string =>
  line(now, { query }, { repeatedRecords: [records, "Count"] });

function line(now: number, dimensions: Readonly<Record<string, string>>, measures: Measures): string {
  const Metrics = Object.entries(measures).map(([Name, [, Unit]]) => ({ Name, Unit }));
  const values = Object.fromEntries(Object.entries(measures).map(([name, [value]]) => [name, value]));
  const CloudWatchMetrics = [{ Namespace: NAMESPACE, Dimensions: [Object.keys(dimensions)], Metrics }];
  return JSON.stringify({ _aws: { Timestamp: now, CloudWatchMetrics }, ...dimensions, ...values });
}
