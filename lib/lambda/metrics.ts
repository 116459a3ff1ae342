import type { QueryProgress } from "../runtime/progress.js";

type Unit = "Count" | "Bytes" | "Milliseconds";
type Measures = Readonly<Record<string, readonly [value: number, unit: Unit]>>;

const NAMESPACE = "Tidemark";

/**
 * CloudWatch metrics by embedded metric format: a line of log each, no call. Dimensions are exactly query, or query and operator, as
 * infra's alarms ask for them: a metric with one dimension more is another metric, and costs another one's price.
 */
export function metricLines(progress: QueryProgress, now: number): readonly string[] {
  const { name: query, durationMs, eventTime, stateOperators } = progress;
  const lag: Measures =
    eventTime.watermark === null ? {} : { watermarkLag: [now - Date.parse(eventTime.watermark), "Milliseconds"] };
  const ofQuery: Measures = {
    numInputRows: [progress.numInputRows, "Count"],
    numOutputRows: [progress.sink.numOutputRows, "Count"],
    numLateInputRows: [progress.numLateInputRows, "Count"],
    malformedRows: [progress.malformedRows, "Count"],
    rowsIgnoredForWatermark: [progress.rowsIgnoredForWatermark, "Count"],
    conflicts: [progress.conflicts, "Count"],
    runsAboveOutOfOrder: [progress.runsAboveOutOfOrder, "Count"],
    stateBytes: [progress.stateBytes, "Bytes"],
    triggerExecution: [durationMs.triggerExecution ?? 0, "Milliseconds"],
    ...lag,
  };
  return [
    line(now, { query }, ofQuery),
    ...stateOperators.map(({ operatorId, numRowsTotal, numRowsDroppedByWatermark }) =>
      line(
        now,
        { query, operator: operatorId },
        {
          numRowsTotal: [numRowsTotal, "Count"],
          numRowsDroppedByWatermark: [numRowsDroppedByWatermark, "Count"],
        },
      ),
    ),
  ];
}

/** The invocation answers with the record's number and so counts as no error of Lambda's: this is what an alarm can see. */
export const failedRecordLine = (query: string, now: number): string =>
  line(now, { query }, { failedRecords: [1, "Count"] });

function line(now: number, dimensions: Readonly<Record<string, string>>, measures: Measures): string {
  const Metrics = Object.entries(measures).map(([Name, [, Unit]]) => ({ Name, Unit }));
  const values = Object.fromEntries(Object.entries(measures).map(([name, [value]]) => [name, value]));
  const CloudWatchMetrics = [{ Namespace: NAMESPACE, Dimensions: [Object.keys(dimensions)], Metrics }];
  return JSON.stringify({ _aws: { Timestamp: now, CloudWatchMetrics }, ...dimensions, ...values });
}
