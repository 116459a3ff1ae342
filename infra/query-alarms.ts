import { Duration } from "aws-cdk-lib";
import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import { QueryMetrics } from "./query-metrics.js";
import type { QueryMonitoringProps } from "./query-monitoring.js";
import { statefulOperators } from "./query-sources.js";

export interface AlarmSpec {
  readonly id: string;
  readonly metric: cloudwatch.IMetric;
  readonly threshold: number;
  readonly periods: number;
  /** Missing data is good news except where silence is the fault. */
  readonly missing?: cloudwatch.TreatMissingData;
  /** What it means and what to do: the alarm's description. */
  readonly advice: string;
}

/** Every alarm of a query. Each rings above its threshold, each says what to do. */
export const queryAlarms = (props: QueryMonitoringProps): readonly AlarmSpec[] =>
  props.alarmsOnExpressions
    ? allAlarms(props)
    : allAlarms(props).filter(({ metric }) => !(metric instanceof cloudwatch.MathExpression));

function allAlarms(props: QueryMonitoringProps): readonly AlarmSpec[] {
  const { query, alias, timeout, batchingWindow, streamRetention, failedBatches } = props;
  const metrics = new QueryMetrics(query.definition.queryName);
  const late = metrics.of("numLateInputRows", "Sum");
  const input = metrics.of("numInputRows", "Sum");
  const iteratorAge = alias.metric("IteratorAge", { statistic: "Maximum", period: Duration.minutes(5) });
  const retentionMs = streamRetention.toMilliseconds();
  return [
    {
      id: "WatermarkLag",
      metric: metrics.of("watermarkLag", "Maximum"),
      threshold: Duration.hours(1).toMilliseconds() + longestDelayMs(props),
      periods: 3,
      advice:
        "No window closes: the watermark stands an hour beyond its delay behind the clock. Read heldBackBy in the progress record; if a shard is quiet, switch on heartbeats or closeOnIdle.",
    },
    {
      id: "LateRowsStep",
      metric: late,
      threshold: 10_000,
      periods: 1,
      advice:
        "A burst of late rows. See which producer sent them (late output, column source), whether its clock is right, and fold them in with a replay if they matter.",
    },
    {
      id: "LateRowsRate",
      metric: new cloudwatch.MathExpression({
        expression: "100 * late / FILL(input, 1)",
        usingMetrics: { late, input },
        period: Duration.minutes(5),
        label: "late rows, % of input",
      }),
      threshold: 1,
      periods: 3,
      advice:
        "More than 1 % of the rows are late: the delay threshold is too short for this stream. Lengthen it in withWatermark and deploy; the state grows with it.",
    },
    {
      id: "IteratorAge10",
      metric: iteratorAge,
      threshold: retentionMs / 10,
      periods: 1,
      advice:
        "The query is behind by a tenth of the stream's retention. Look at errors and duration; more memory is more CPU.",
    },
    {
      id: "IteratorAge50",
      metric: iteratorAge,
      threshold: retentionMs / 2,
      periods: 1,
      advice:
        "Half of the retention is gone and records will expire unread. Lengthen the stream's retention now, then look for the cause.",
    },
    {
      id: "Errors",
      metric: alias.metricErrors({ period: Duration.minutes(5) }),
      threshold: 0,
      periods: 3,
      advice:
        "Invocations fail; the shard waits and nothing is lost until its records expire. The log line names the code and the remedy.",
    },
    {
      id: "FailedRecords",
      metric: metrics.of("failedRecords", "Sum"),
      threshold: 0,
      periods: 3,
      advice:
        "A user function throws at a record, and its shard stands there until the record expires. The log names shard, sequence number and place in the code. Mend the function and deploy, or set onError to malformed.",
    },
    {
      id: "Throttles",
      metric: alias.metricThrottles({ period: Duration.minutes(5) }),
      threshold: 0,
      periods: 3,
      advice: "Lambda has no concurrency left for this function. Reserve some, or raise the account's limit.",
    },
    {
      id: "DurationNearTimeout",
      metric: alias.metricDuration({ statistic: "Maximum", period: Duration.minutes(5) }),
      threshold: timeout.toMilliseconds() * 0.8,
      periods: 1,
      advice:
        "Micro-batches come near the timeout and will be cut short. Give the function more memory or a longer timeout, or make batchSize smaller.",
    },
    {
      id: "DurationAboveBatchingWindow",
      metric: alias.metricDuration({ statistic: "Average", period: Duration.minutes(5) }),
      threshold: batchingWindow.toMilliseconds(),
      periods: 6,
      advice:
        "A micro-batch takes longer than the window it is gathered in, so the query falls behind or its shards contend. More memory, or a longer batching window.",
    },
    {
      id: "StateBytes",
      metric: metrics.of("stateBytes", "Maximum"),
      threshold: props.maxStateBytes * 0.6,
      periods: 3,
      advice:
        "State is at 60 % of what the function may hold; at 100 % batches fail before their commit. More memory, a shorter delay, or fewer keys.",
    },
    {
      id: "MalformedRows",
      metric: metrics.of("malformedRows", "Sum"),
      threshold: 0,
      periods: 1,
      advice:
        "Records do not match the schema. They stand in the malformed output with the reason and the payload; mend the producer or the schema and replay them.",
    },
    {
      id: "CheckpointConflicts",
      metric: metrics.of("conflicts", "Average"),
      threshold: 1,
      periods: 3,
      advice:
        "Shards contend for one checkpoint: each batch is redone more than once. A longer batching window or fewer shards.",
    },
    {
      id: "OutOfOrderRuns",
      metric: metrics.of("runsAboveOutOfOrder", "Maximum"),
      threshold: 32,
      periods: 1,
      advice:
        "Records were redelivered far out of order, close to what offsets can remember (64 runs). Leave the mapping's bisect off and its parallelization factor at 1.",
    },
    {
      id: "FailedBatches",
      metric: failedBatches.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(5) }),
      threshold: 0,
      periods: 1,
      advice:
        "Records expired unread or were too large for an invocation. The message names shard and sequence numbers; replay them from the producer's own copy.",
    },
    ...statefulOperators(query).map(
      (operatorId): AlarmSpec => ({
        id: `StateGrows-${operatorId.replace(/[^A-Za-z0-9]/g, "-")}`,
        metric: new cloudwatch.MathExpression({
          expression: "DIFF(rows)",
          usingMetrics: { rows: metrics.ofOperator(operatorId, "numRowsTotal", "Minimum", Duration.hours(1)) },
          period: Duration.hours(1),
          label: `${operatorId}: growth of the hourly minimum`,
        }),
        threshold: 0,
        periods: 12,
        advice:
          "State has grown for twelve hours on end and nothing is evicted. See in explain whether the operator has an eviction rule, and whether the watermark moves.",
      }),
    ),
  ];
}

const longestDelayMs = ({ query }: QueryMonitoringProps): number => {
  let longest = 0;
  JSON.stringify(query.definition.plan, (key, value: unknown) => {
    if (key === "delayMs" && typeof value === "number") longest = Math.max(longest, value);
    return value;
  });
  return longest;
};
