import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { QueryProgress } from "../runtime/progress.js";

export interface ProgressMetrics {
  record(progress: QueryProgress, now: number): void;
}

/** CloudWatch metrics by embedded metric format: log lines, no calls. Dimensions are query and operator only. */
export function progressMetrics(queryName: string): ProgressMetrics {
  const metrics = new Metrics({ namespace: "Tidemark", serviceName: queryName });
  return {
    record(progress, now) {
      metrics.addDimension("query", queryName);
      const count = (name: string, value: number) => metrics.addMetric(name, MetricUnit.Count, value);
      count("numInputRows", progress.numInputRows);
      count("numOutputRows", progress.sink.numOutputRows);
      count("numLateInputRows", progress.numLateInputRows);
      count("malformedRows", progress.malformedRows);
      count("rowsIgnoredForWatermark", progress.rowsIgnoredForWatermark);
      count("conflicts", progress.conflicts);
      count("runsAboveOutOfOrder", progress.runsAboveOutOfOrder);
      metrics.addMetric("stateBytes", MetricUnit.Bytes, progress.stateBytes);
      metrics.addMetric("triggerExecution", MetricUnit.Milliseconds, progress.durationMs.triggerExecution ?? 0);
      if (progress.eventTime.watermark !== null)
        metrics.addMetric("watermarkLag", MetricUnit.Milliseconds, now - Date.parse(progress.eventTime.watermark));
      metrics.publishStoredMetrics();
      for (const { operatorId, numRowsTotal, numRowsDroppedByWatermark } of progress.stateOperators) {
        const own = metrics.singleMetric();
        own.addDimensions({ query: queryName, operator: operatorId });
        own.addMetric("numRowsTotal", MetricUnit.Count, numRowsTotal);
        const dropped = metrics.singleMetric();
        dropped.addDimensions({ query: queryName, operator: operatorId });
        dropped.addMetric("numRowsDroppedByWatermark", MetricUnit.Count, numRowsDroppedByWatermark);
      }
    },
  };
}
