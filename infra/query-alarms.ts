import { Duration } from "aws-cdk-lib";
import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import { REMEDIES } from "../lib/diagnosis/remedies.js";
import { nodesUpwards } from "../lib/plan/walk.js";
import { type AlarmThresholds, DEFAULT_THRESHOLDS } from "./alarm-thresholds.js";
import { QueryMetrics } from "./query-metrics.js";
import type { QueryMonitoringProps } from "./query-monitoring.js";
import { querySources, statefulOperators, streamName } from "./query-sources.js";
import type { Shuffle } from "./shuffle.js";

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
  const at = { ...DEFAULT_THRESHOLDS, ...props.alarms };
  return [
    ...silenceAlarms(props, at),
    {
      id: "Findings",
      metric: metrics.of("errorFindings", "Maximum"),
      threshold: 0,
      periods: 1,
      advice:
        "The function looked at its own last batches and found an error: tidemark doctor says which, with evidence and remedy, and so does the log line that begins with finding.",
    },
    {
      id: "LateRowsBurst",
      metric: late,
      threshold: at.lateRows,
      periods: 1,
      advice: `A burst of late rows. ${REMEDIES["waking-partition"]}`,
    },
    {
      id: "LateRowsStep",
      metric: metrics.of("lateRowsFactor", "Maximum"),
      threshold: at.lateStep,
      periods: 1,
      advice: `The share of late rows has grown by a factor. ${REMEDIES["late-step"]}`,
    },
    {
      id: "LateRowsRate",
      metric: new cloudwatch.MathExpression({
        expression: "100 * late / FILL(input, 1)",
        usingMetrics: { late, input },
        period: Duration.minutes(5),
        label: "late rows, % of input",
      }),
      threshold: at.lateShare,
      periods: 3,
      advice:
        "More of the rows are late than the threshold allows: the delay threshold is too short for this stream. Lengthen it in withWatermark and deploy; the state grows with it.",
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
    ...(querySources(query).some(({ descriptor }) => descriptor.kind === "kafka")
      ? [
          {
            id: "OffsetLag",
            metric: alias.metric("OffsetLag", { statistic: "Maximum", period: Duration.minutes(5) }),
            threshold: at.offsetLag,
            periods: 3,
            advice:
              "A partition of the topic is this many records behind. Look at errors and duration; allow the mapping more pollers, or give the function more memory.",
          },
        ]
      : []),
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
      threshold: (timeout.toMilliseconds() * at.timeoutShare) / 100,
      periods: 1,
      advice: `Micro-batches come near the timeout and will be cut short. ${REMEDIES["near-timeout"]}`,
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
      threshold: (props.maxStateBytes * at.stateShare) / 100,
      periods: 3,
      advice:
        "State takes most of what the function may hold; at 100 % batches fail before their commit. More memory, a shorter delay, or fewer keys.",
    },
    {
      id: "MalformedRows",
      metric: metrics.of("malformedRows", "Sum"),
      threshold: at.malformedRows,
      periods: 1,
      advice:
        "Records do not match the schema. They stand in the malformed output with the reason and the payload; mend the producer or the schema and replay them.",
    },
    {
      id: "CheckpointConflicts",
      metric: metrics.of("conflicts", "Average"),
      threshold: at.conflicts,
      periods: 3,
      advice: `Shards contend for one checkpoint. ${REMEDIES["commit-contention"]}`,
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
    ...shuffleAlarms(props),
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

export const shuffleAge = ({ stream }: Shuffle): cloudwatch.Metric =>
  stream.metricGetRecordsIteratorAgeMilliseconds({ statistic: "Maximum", period: Duration.minutes(5) });

/** Between the stages of a query with several state partitions: what expires there is lost (S12). */
function shuffleAlarms({ query, shuffle }: QueryMonitoringProps): readonly AlarmSpec[] {
  if (shuffle === undefined) return [];
  const retentionMs = shuffle.retention.toMilliseconds();
  return [
    {
      id: "ShuffleGaps",
      metric: new QueryMetrics(query.definition.queryName).of("shuffleGaps", "Sum"),
      threshold: 0,
      periods: 1,
      advice:
        "A record between the stages is lost, and its partition stands still. Nothing is skipped by itself: docs/shuffle-gap.md says what to do.",
    },
    {
      id: "ShuffleAge10",
      metric: shuffleAge(shuffle),
      threshold: retentionMs / 10,
      periods: 1,
      advice:
        "The state stage is behind by a tenth of the shuffle stream's retention. Look for errors of one partition; more shards let more partitions run at a time.",
    },
    {
      id: "ShuffleAge50",
      metric: shuffleAge(shuffle),
      threshold: retentionMs / 2,
      periods: 1,
      advice:
        "Half of the shuffle stream's retention is gone and rows will be lost. Lengthen it now (IncreaseStreamRetentionPeriod), then look for the cause.",
    },
  ];
}

/** Silence must ring: the tick emits both lags each minute whatever comes, so that a metric that is missing means a tick that is. */
function silenceAlarms(props: QueryMonitoringProps, at: Required<AlarmThresholds>): readonly AlarmSpec[] {
  const metrics = new QueryMetrics(props.query.definition.queryName);
  const missing = cloudwatch.TreatMissingData.BREACHING;
  const sources = querySources(props.query);
  const watermarkLag: AlarmSpec = {
    id: "WatermarkLag",
    metric: metrics.of("watermarkLag", "Maximum"),
    threshold: at.watermarkLag.toMilliseconds() + longestDelayMs(props),
    periods: 3,
    missing,
    advice: `No window closes: the watermark is further behind the clock than the delay and the threshold, or the tick does not run. heldBackBy in the progress record names who holds it. ${REMEDIES["idle-input"]}`,
  };
  const readThroughLag: AlarmSpec = {
    id: "ReadThroughLag",
    metric: metrics.of("readThroughLag", "Maximum"),
    threshold: at.readThroughLag.toMilliseconds(),
    periods: 3,
    missing,
    advice: `Records wait unread, an input was never heard, or the tick does not run. ${REMEDIES["failing-shard"]}`,
  };
  return [
    ...(hasWatermark(props) ? [watermarkLag] : []),
    // Nobody looks whether a silent Kafka partition is empty, so its silence would ring without a fault.
    ...(sources.every((source) => streamName(source) !== undefined) ? [readThroughLag] : []),
  ];
}

const hasWatermark = ({ query }: QueryMonitoringProps): boolean =>
  nodesUpwards(query.definition.plan).some(({ kind }) => kind === "withWatermark");

const longestDelayMs = ({ query }: QueryMonitoringProps): number => {
  let longest = 0;
  JSON.stringify(query.definition.plan, (key, value: unknown) => {
    if (key === "delayMs" && typeof value === "number") longest = Math.max(longest, value);
    return value;
  });
  return longest;
};
