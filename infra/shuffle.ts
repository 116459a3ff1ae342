import { Duration, RemovalPolicy } from "aws-cdk-lib";
import * as iam from "aws-cdk-lib/aws-iam";
import * as kinesis from "aws-cdk-lib/aws-kinesis";
import * as lambda from "aws-cdk-lib/aws-lambda";
import { SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import type * as sqs from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { SOURCES } from "../lib/plan/connectors/catalogue.js";

export interface ShuffleProps {
  /** N of the query. */
  readonly partitions: number;
  /** How many shards the stream has; default: one per partition, 8 at most. */
  readonly shardCount: number | undefined;
  /** Of the source; the stream keeps its records as long, and 7 days at least. */
  readonly sourceRetention: Duration;
  readonly retain: boolean;
}

/**
 * The stream between the stages of a query with several state partitions (docs/partitions.md). Its shards bound how many partitions run at
 * a time.
 */
export class Shuffle extends Construct {
  readonly stream: kinesis.Stream;
  readonly retention: Duration;

  constructor(scope: Construct, id: string, props: ShuffleProps) {
    super(scope, id);
    this.retention = Duration.millis(
      Math.max(props.sourceRetention.toMilliseconds(), LEAST_RETENTION.toMilliseconds()),
    );
    this.stream = new kinesis.Stream(this, "Stream", {
      streamMode: kinesis.StreamMode.PROVISIONED,
      shardCount: props.shardCount ?? Math.min(props.partitions, MOST_SHARDS),
      retentionPeriod: this.retention,
      encryption: kinesis.StreamEncryption.MANAGED,
      // What it holds is nowhere else once the source's records have expired.
      removalPolicy: props.retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }

  /** What both stages do to it: the first puts, the mapping of the second reads. */
  get statement(): iam.PolicyStatement {
    return new iam.PolicyStatement({
      actions: [...SOURCES.kinesis.grants, "kinesis:PutRecords"],
      resources: [this.stream.streamArn],
    });
  }

  /** From its first record on, without limits of retries or age: a record that is given up is lost rows (S12). */
  map(target: lambda.IFunction, batchingWindow: Duration, failedBatches: sqs.IQueue): lambda.EventSourceMapping {
    return new lambda.EventSourceMapping(this, "Mapping", {
      target,
      eventSourceArn: this.stream.streamArn,
      startingPosition: lambda.StartingPosition.TRIM_HORIZON,
      batchSize: 1_000,
      maxBatchingWindow: batchingWindow,
      parallelizationFactor: 1,
      bisectBatchOnError: false,
      reportBatchItemFailures: true,
      onFailure: new SqsDlq(failedBatches),
    });
  }
}

const LEAST_RETENTION = Duration.days(7);
const MOST_SHARDS = 8;
