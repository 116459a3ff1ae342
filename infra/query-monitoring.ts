import type { Duration } from "aws-cdk-lib";
import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import type * as lambda from "aws-cdk-lib/aws-lambda";
import type * as sqs from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { AlarmThresholds } from "./alarm-thresholds.js";
import { queryAlarms, shuffleAge } from "./query-alarms.js";
import { QueryMetrics } from "./query-metrics.js";
import { type DeployableQuery, statefulOperators } from "./query-sources.js";
import type { Shuffle } from "./shuffle.js";

export interface QueryMonitoringProps {
  readonly query: DeployableQuery;
  readonly lambdaFunction: lambda.IFunction;
  readonly alias: lambda.Alias;
  readonly timeout: Duration;
  readonly batchingWindow: Duration;
  readonly streamRetention: Duration;
  readonly failedBatches: sqs.IQueue;
  /** Of a query with several state partitions. */
  readonly shuffle?: Shuffle;
  readonly maxStateBytes: number;
  readonly alarmActions: readonly cloudwatch.IAlarmAction[];
  readonly alarmsOnExpressions: boolean;
  readonly alarms?: AlarmThresholds;
}

const STAGES = ["shuffle", "state"] as const;
const STEPS = ["decode", "load", "run", "stage", "commit", "publish"];

/** Alarms, and one page that shows event time, rows, state and the function side by side. */
export class QueryMonitoring extends Construct {
  readonly alarms: readonly cloudwatch.Alarm[];
  readonly dashboard: cloudwatch.Dashboard;

  constructor(scope: Construct, id: string, props: QueryMonitoringProps) {
    super(scope, id);
    this.alarms = queryAlarms(props).map((spec) => {
      const alarm = new cloudwatch.Alarm(this, spec.id, {
        metric: spec.metric,
        threshold: spec.threshold,
        evaluationPeriods: spec.periods,
        comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
        treatMissingData: spec.missing ?? cloudwatch.TreatMissingData.NOT_BREACHING,
        alarmDescription: `${props.query.definition.queryName}: ${spec.advice}`,
      });
      alarm.addAlarmAction(...props.alarmActions);
      return alarm;
    });
    this.dashboard = this.createDashboard(props);
  }

  private createDashboard({ query, alias, shuffle }: QueryMonitoringProps): cloudwatch.Dashboard {
    const metrics = new QueryMetrics(query.definition.queryName);
    const operators = statefulOperators(query);
    const graph = (title: string, left: readonly cloudwatch.IMetric[], right: readonly cloudwatch.IMetric[] = []) =>
      new cloudwatch.GraphWidget({ title, left: [...left], right: [...right], width: 8 });
    return new cloudwatch.Dashboard(this, "Dashboard", {
      widgets: [
        [
          graph("Watermark behind the clock", [
            metrics.of("watermarkLag", "Maximum"),
            metrics.of("readThroughLag", "Maximum"),
          ]),
          graph("Rows", [metrics.of("numInputRows", "Sum"), metrics.of("numOutputRows", "Sum")]),
          graph("Late and malformed", [metrics.of("numLateInputRows", "Sum"), metrics.of("malformedRows", "Sum")]),
        ],
        [
          graph(
            "State rows",
            operators.map((operator) => metrics.ofOperator(operator, "numRowsTotal", "Maximum")),
            [metrics.of("stateBytes", "Maximum")],
          ),
          graph(
            "Micro-batch",
            [metrics.of("triggerExecution", "p99"), metrics.of("triggerExecution", "p50")],
            STEPS.map((step) => metrics.of(step, "Average")),
          ),
          graph("Conflicts", [metrics.of("conflicts", "Sum")]),
        ],
        [
          graph("Iterator age", [alias.metric("IteratorAge", { statistic: "Maximum" })]),
          graph("Invocations", [alias.metricInvocations(), alias.metricErrors(), alias.metricThrottles()]),
          new cloudwatch.AlarmStatusWidget({ title: "Alarms", alarms: [...this.alarms], width: 8 }),
        ],
        ...(shuffle === undefined
          ? []
          : [
              [
                graph("Between the stages", [
                  metrics.ofStage("shuffle", "rowsShuffled", "Sum"),
                  metrics.ofStage("state", "shuffleRecords", "Sum"),
                  metrics.ofStage("state", "repeatedShuffleRecords", "Sum"),
                ]),
                graph(
                  "Stages",
                  STAGES.map((stage) => metrics.ofStage(stage, "triggerExecution", "p99")),
                  STAGES.map((stage) => metrics.ofStage(stage, "coldLoads", "Sum")),
                ),
                graph("Shuffle stream, iterator age", [shuffleAge(shuffle)]),
              ],
            ]),
      ],
    });
  }
}
