import { Duration } from "aws-cdk-lib";
import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";

const NAMESPACE = "Tidemark";

/** What `lib/lambda/metrics.ts` emits by embedded metric format, as CloudWatch sees it: per query, per query and operator, or per query and stage. */
export class QueryMetrics {
  constructor(private readonly queryName: string) {}

  of(metricName: string, statistic: string, period = Duration.minutes(5)): cloudwatch.Metric {
    return new cloudwatch.Metric({
      namespace: NAMESPACE,
      metricName,
      statistic,
      period,
      dimensionsMap: { query: this.queryName },
    });
  }

  ofStage(stage: "shuffle" | "state", metricName: string, statistic: string): cloudwatch.Metric {
    return new cloudwatch.Metric({
      namespace: NAMESPACE,
      metricName,
      statistic,
      period: Duration.minutes(5),
      dimensionsMap: { query: this.queryName, stage },
      label: `${stage}: ${metricName}`,
    });
  }

  ofOperator(
    operatorId: string,
    metricName: string,
    statistic: string,
    period = Duration.minutes(5),
  ): cloudwatch.Metric {
    return new cloudwatch.Metric({
      namespace: NAMESPACE,
      metricName,
      statistic,
      period,
      dimensionsMap: { query: this.queryName, operator: operatorId },
      label: operatorId,
    });
  }
}
