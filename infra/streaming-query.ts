import { Annotations, Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import type { IAlarmAction } from "aws-cdk-lib/aws-cloudwatch";
import type * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import * as events from "aws-cdk-lib/aws-events";
import * as targets from "aws-cdk-lib/aws-events-targets";
import * as kinesis from "aws-cdk-lib/aws-kinesis";
import * as lambda from "aws-cdk-lib/aws-lambda";
import { SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import * as sqs from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { SinkDescriptor } from "../lib/api/descriptors.js";
import { ENVIRONMENT } from "../lib/lambda/environment.js";
import { acknowledge, acknowledgeFolders } from "./acknowledge.js";
import type { AlarmThresholds } from "./alarm-thresholds.js";
import { formerSinkStatements, queryStatements, streamStatement, uniquelyNamed } from "./grants.js";
import { Heartbeat } from "./heartbeat.js";
import { type KafkaConnection, kafkaMapping, kafkaStatements } from "./kafka-mapping.js";
import { kmsStatements } from "./kms-statements.js";
import { type CatalogOptions, QueryCatalog } from "./query-catalog.js";
import { QueryFunction } from "./query-function.js";
import { QueryMonitoring } from "./query-monitoring.js";
import { type DeployableQuery, type QuerySource, querySources, streamName } from "./query-sources.js";
import { QueryStorage } from "./query-storage.js";
import { requireDeployable } from "./require-deployable.js";
import { requireOwnCheckpoint } from "./require-own-checkpoint.js";
import { ResultTarget } from "./result-target.js";
import { Shuffle } from "./shuffle.js";
import { Sweeper } from "./sweeper.js";

export interface StreamingQueryProps {
  /** The query object itself: what it needs is what is deployed. */
  readonly query: DeployableQuery;
  /** The file that exports `handler`, from the project's root: `functions/page-views.ts`. */
  readonly entry: string;
  /** Shared with other queries; created when absent. */
  readonly storage?: QueryStorage;
  /** Streams to adopt, by source name; the others are created under the names that the query gives. */
  readonly streams?: Readonly<Record<string, kinesis.IStream>>;
  /** How Lambda reaches the cluster of each Kafka source, by source name. */
  readonly kafka?: Readonly<Record<string, KafkaConnection>>;
  /** The table of the sink `dynamodb()`, if it exists already; created under the sink's name when absent. */
  readonly resultTable?: dynamodb.ITable;
  /** The stream of the sink `kinesis()`, likewise. */
  readonly resultStream?: kinesis.IStream;
  /** Sinks that the query wrote to before: it may still write there what it committed for them. To be left out again at a later deploy. */
  readonly formerSinks?: readonly SinkDescriptor[];
  /**
   * Glue tables over what the query writes to S3, so that Athena finds it: results, late and malformed rows. Off by default.
   * Options: a database that exists, and the first day that is looked for.
   */
  readonly catalog?: boolean | CatalogOptions;
  /** Keep the data when the stack goes. Default true. */
  readonly retain?: boolean;
  /** Of streams created here. Default 7 days: a failing shard has a week until its data expires. */
  readonly streamRetention?: Duration;
  /** Of streams created here; default: on demand. */
  readonly shardCount?: number;
  /** Shards of the stream between the stages of a query with several state partitions; default: one per partition, 8 at most. */
  readonly shuffleShards?: number;
  /** Records per micro-batch, at most 10,000 (the default); what it cuts decides which rows are late. */
  readonly batchSize?: number;
  /** How long a batch is gathered, and so the least latency of a result. Default: the query's trigger, else 10 seconds. */
  readonly batchingWindow?: Duration;
  /** Where a new query begins: TRIM_HORIZON (default), or AT_TIMESTAMP for a version that runs beside the old one. LATEST loses records around a deploy and is refused. */
  readonly startAt?: "TRIM_HORIZON" | { readonly timestamp: Date };
  /** Default 1,769 MB: one whole core. State may take 40 % of it. */
  readonly memorySize?: number;
  /** Default 2 minutes. */
  readonly timeout?: Duration;
  /**
   * Concurrency kept for this function alone. Default: none. One invocation per shard and one tick run at a time, so a number below
   * shards + 1 throttles, and so holds the watermark back.
   */
  readonly reservedConcurrency?: number;
  /** X-Ray. Default off. */
  readonly tracing?: boolean;
  /** Default 30 days. */
  readonly logRetentionDays?: number;
  /** A heartbeat record into every shard of every stream at this rate, where quiet streams must close their windows. Default: none. */
  readonly heartbeat?: Duration;
  /** Where the alarms ring. */
  readonly alarmActions?: readonly IAlarmAction[];
  /** When the alarms ring: late rows by number, share and step, lags, state. */
  readonly alarms?: AlarmThresholds;
  /** Alarms on metric math (share of late rows, growth of state). Default true; a CloudFormation server without metric math refuses them. */
  readonly alarmsOnExpressions?: boolean;
}

/**
 * A query as it runs on AWS: streams, table, bucket, function, event source mappings, tick, sweeper, alarms and dashboard.
 *
 * Mapping and tick target an alias of a published version; the version number is the generation that fences old code out of
 * the checkpoint (protocol rule 13).
 */
export class StreamingQuery extends Construct {
  readonly storage: QueryStorage;
  readonly streams: Readonly<Record<string, kinesis.IStream>>;
  readonly function: lambda.Function;
  readonly alias: lambda.Alias;
  /** What the mapping gave up on: only records that expired before they were read. */
  readonly failedBatches: sqs.Queue;
  /** Table or stream that the sink writes to, where it is one of these; of several sinks the first. */
  readonly results: ResultTarget;
  /** Those of the further sinks, by their names. */
  readonly otherResults: Readonly<Record<string, ResultTarget>>;
  /** Where Athena finds the outputs, if `catalog` asked for it. */
  readonly catalog: QueryCatalog | undefined;
  readonly monitoring: QueryMonitoring;
  /** Between the stages; undefined: the query has one state partition, and one stage. */
  readonly shuffle: Shuffle | undefined;

  constructor(scope: Construct, id: string, props: StreamingQueryProps) {
    super(scope, id);
    const { query } = props;
    requireDeployable(query);
    for (const { code, message, remedy } of query.warnings)
      Annotations.of(this).addWarningV2(`tidemark:${code}`, `${message} ${remedy}`);

    this.storage = props.storage ?? new QueryStorage(this, "Storage", { retain: props.retain ?? true });
    const { queryName } = query.definition;
    requireOwnCheckpoint(this.node.root, { queryName, table: this.storage.table });
    const sources = querySources(query).filter((source) => streamName(source) !== null);
    this.streams = Object.fromEntries(
      sources.map((source) => [source.name, props.streams?.[source.name] ?? this.createStream(source, props)]),
    );

    const { statePartitions } = query.definition.options;
    this.shuffle =
      statePartitions === 1
        ? undefined
        : new Shuffle(this, "Shuffle", {
            partitions: statePartitions,
            shardCount: props.shuffleShards,
            sourceRetention: props.streamRetention ?? DEFAULT_STREAM_RETENTION,
            retain: props.retain ?? true,
          });
    const kafkaSources = querySources(query).flatMap(({ name, descriptor }) =>
      descriptor.kind === "kafka" ? [{ name, source: descriptor }] : [],
    );
    const timeout = props.timeout ?? Duration.minutes(2);
    const { lambdaFunction, alias, role } = new QueryFunction(this, "Function", {
      entry: props.entry,
      description: `Tidemark query ${query.definition.queryName}`,
      memorySize: props.memorySize ?? 1_769,
      timeout,
      tracing: props.tracing ?? false,
      logRetentionDays: props.logRetentionDays ?? 30,
      retain: props.retain ?? true,
      reservedConcurrency: props.reservedConcurrency,
      environment: {
        [ENVIRONMENT.table]: this.storage.table.tableName,
        [ENVIRONMENT.bucket]: this.storage.bucket.bucketName,
        ...(this.shuffle === undefined ? {} : { [ENVIRONMENT.shuffleStream]: this.shuffle.stream.streamName }),
        // An adopted stream may be of another account, where its name says nothing.
        ...(props.streams === undefined ? {} : { [ENVIRONMENT.streamArns]: this.adoptedArns(props.streams) }),
        ...(kafkaSources.length === 0 ? {} : { [ENVIRONMENT.kafkaPartialBatches]: "true" }),
      },
    });
    this.function = lambdaFunction;
    this.alias = alias;
    const { sink, sinks = {}, plan } = query.definition;
    const results = { schema: plan.schema, retain: props.retain ?? true };
    this.results = new ResultTarget(this, "Results", {
      ...results,
      sink,
      table: props.resultTable,
      stream: props.resultStream,
    });
    this.otherResults = Object.fromEntries(
      Object.entries(sinks)
        .slice(1)
        .map(([name, other]) => [name, new ResultTarget(this, `Results-${name}`, { ...results, sink: other })]),
    );
    const allResults = [this.results, ...Object.values(this.otherResults)];
    const statements = uniquelyNamed([
      ...queryStatements(query, this.storage),
      ...allResults.flatMap(({ statements }) => statements),
      ...formerSinkStatements(query, this.storage, props.formerSinks ?? []),
      ...kmsStatements(
        Object.values(this.streams).map(({ encryptionKey }) => encryptionKey),
        [this.storage.table, this.storage.bucket, ...allResults.flatMap(({ table, stream }) => [table, stream])].map(
          (resource) => resource?.encryptionKey,
        ),
      ),
    ]);
    for (const statement of statements) lambdaFunction.addToRolePolicy(statement);
    acknowledgeFolders(role, statements);

    if (props.catalog !== undefined && props.catalog !== false) {
      const options = props.catalog === true ? {} : props.catalog;
      this.catalog = new QueryCatalog(this, "Catalog", { query, bucket: this.storage.bucket, ...options });
    }

    this.failedBatches = new sqs.Queue(this, "FailedBatches", {
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(
      this.failedBatches,
      "SQS3",
      "The end of the line: what lies here rings an alarm and waits for a person.",
    );
    const window = batchingWindowOf(props);
    if (this.shuffle !== undefined) lambdaFunction.addToRolePolicy(this.shuffle.statement);
    const shuffled = this.shuffle?.map(alias, window, this.failedBatches);
    shuffled?.node.addDependency(role);
    for (const [name, stream] of Object.entries(this.streams)) {
      lambdaFunction.addToRolePolicy(streamStatement(stream));
      const options = { eventSourceArn: stream.streamArn, ...KINESIS_MAPPING, onFailure: this.dlq() };
      const mapping = this.createMapping(name, options, props);
      // Whoever reads the shuffle stream is there before the first record comes to it (S12).
      if (shuffled !== undefined) mapping.node.addDependency(shuffled);
    }
    for (const { name, source } of kafkaSources) {
      const connection = props.kafka?.[name];
      for (const statement of kafkaStatements(source.topic, connection ?? {}, queryName))
        lambdaFunction.addToRolePolicy(statement);
      this.createMapping(name, kafkaMapping(name, source, connection, queryName), props);
    }

    new events.Rule(this, "Tick", {
      description: `No-data pass of ${query.definition.queryName}: closes windows that nothing else would`,
      schedule: events.Schedule.rate(Duration.minutes(1)),
      targets: [
        new targets.LambdaFunction(alias, {
          event: events.RuleTargetInput.fromObject({ tidemark: "tick" }),
          retryAttempts: 0,
        }),
      ],
    });
    new Sweeper(this, "Sweeper", { query, storage: this.storage, retain: props.retain ?? true });
    if (props.heartbeat !== undefined)
      new Heartbeat(this, "Heartbeat", { streams: Object.values(this.streams), rate: props.heartbeat });

    this.monitoring = new QueryMonitoring(this, "Monitoring", {
      query,
      lambdaFunction,
      alias,
      timeout,
      batchingWindow: batchingWindowOf(props),
      streamRetention: props.streamRetention ?? DEFAULT_STREAM_RETENTION,
      failedBatches: this.failedBatches,
      ...(this.shuffle === undefined ? {} : { shuffle: this.shuffle }),
      maxStateBytes: (props.memorySize ?? 1_769) * 1_048_576 * 0.4,
      alarmActions: props.alarmActions ?? [],
      alarmsOnExpressions: props.alarmsOnExpressions ?? true,
      ...(props.alarms === undefined ? {} : { alarms: props.alarms }),
    });
  }

  private createStream(source: QuerySource, props: StreamingQueryProps): kinesis.IStream {
    return new kinesis.Stream(this, `Stream-${source.name}`, {
      streamName: streamName(source)!,
      retentionPeriod: props.streamRetention ?? DEFAULT_STREAM_RETENTION,
      encryption: kinesis.StreamEncryption.MANAGED,
      removalPolicy: (props.retain ?? true) ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      ...(props.shardCount === undefined
        ? { streamMode: kinesis.StreamMode.ON_DEMAND }
        : { streamMode: kinesis.StreamMode.PROVISIONED, shardCount: props.shardCount }),
    });
  }

  private readonly dlq = () => new SqsDlq(this.failedBatches);

  private readonly adoptedArns = (streams: NonNullable<StreamingQueryProps["streams"]>): string =>
    Stack.of(this).toJsonString(
      Object.fromEntries(Object.entries(streams).map(([name, { streamArn }]) => [name, streamArn])),
    );

  /** Retries until the record expires and never bisects: batchItemFailures does that work, and nothing is discarded silently. */
  private createMapping(
    name: string,
    options: Partial<lambda.EventSourceMappingOptions>,
    props: StreamingQueryProps,
  ): lambda.EventSourceMapping {
    const start = props.startAt ?? "TRIM_HORIZON";
    const mapping = new lambda.EventSourceMapping(this, `Mapping-${name}`, {
      target: this.alias,
      batchSize: props.batchSize ?? 10_000,
      maxBatchingWindow: batchingWindowOf(props),
      reportBatchItemFailures: true,
      ...options,
      ...(start === "TRIM_HORIZON"
        ? { startingPosition: lambda.StartingPosition.TRIM_HORIZON }
        : {
            startingPosition: lambda.StartingPosition.AT_TIMESTAMP,
            startingPositionTimestamp: start.timestamp.getTime() / 1000,
          }),
    });
    // Its rights to the stream come by a policy of their own.
    mapping.node.addDependency(this.function.role!);
    return mapping;
  }
}

/** Parallelization factor 1: a delivery must be gap-free (protocol rule 4). */
const KINESIS_MAPPING = { parallelizationFactor: 1, bisectBatchOnError: false } as const;

function batchingWindowOf({ batchingWindow, query }: StreamingQueryProps): Duration {
  const { batchingWindowMs } = query.definition.options;
  return (
    batchingWindow ??
    (batchingWindowMs === undefined ? DEFAULT_BATCHING_WINDOW : Duration.seconds(batchingWindowMs / 1000))
  );
}

const DEFAULT_BATCHING_WINDOW = Duration.seconds(10);
const DEFAULT_STREAM_RETENTION = Duration.days(7);
