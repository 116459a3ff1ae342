import { App, Stack } from "aws-cdk-lib";
import { Annotations, Match, Template } from "aws-cdk-lib/assertions";
import { Stream } from "aws-cdk-lib/aws-kinesis";
import { describe, expect, it } from "vitest";
import { adClicks } from "../../functions/ad-clicks.js";
import { StreamingQuery } from "../../infra/streaming-query.js";
import { columns, count, kinesis, readStream, s3, string, timestamp, window } from "../../lib/index.js";
import { synthesise } from "./support.js";

const { template } = synthesise();

describe("StreamingQuery", () => {
  it("reads the stream from its beginning, gap-free, reporting failures, and gives nothing up", () => {
    template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      StartingPosition: "TRIM_HORIZON",
      BatchSize: 10_000,
      MaximumBatchingWindowInSeconds: 10,
      ParallelizationFactor: 1,
      BisectBatchOnFunctionError: false,
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      MaximumRetryAttempts: Match.absent(),
      MaximumRecordAgeInSeconds: Match.absent(),
      DestinationConfig: { OnFailure: { Destination: Match.anyValue() } },
    });
  });

  it("gathers a batch for as long as the query's trigger says", () => {
    const query = readStream(kinesis({ stream: "s", schema: columns({ page: string() }) })).writeStream({
      queryName: "triggered",
      outputMode: "append",
      sink: s3(),
      trigger: { processingTime: "1 minute" },
    });
    synthesise({ query }).template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      MaximumBatchingWindowInSeconds: 60,
    });
  });

  it("begins a version beside another at a point of time, and never at LATEST", () => {
    const timestampOfStart = new Date("2026-11-30T00:00:00Z");
    synthesise({ startAt: { timestamp: timestampOfStart } }).template.hasResourceProperties(
      "AWS::Lambda::EventSourceMapping",
      { StartingPosition: "AT_TIMESTAMP", StartingPositionTimestamp: timestampOfStart.getTime() / 1000 },
    );
    expect(JSON.stringify(template.toJSON())).not.toContain('"LATEST"');
  });

  it("points mapping and tick at an alias of a published version, whose number is the generation", () => {
    const [alias] = Object.keys(template.findResources("AWS::Lambda::Alias"));
    template.hasResourceProperties("AWS::Lambda::Alias", {
      Name: "live",
      FunctionVersion: { "Fn::GetAtt": [Match.stringLikeRegexp("CurrentVersion"), "Version"] },
    });
    const [mapping] = Object.values(template.findResources("AWS::Lambda::EventSourceMapping"));
    expect(JSON.stringify(mapping!["Properties"].FunctionName)).toContain(`{"Ref":"${alias}"}`);
    template.hasResourceProperties("AWS::Events::Rule", {
      ScheduleExpression: "rate(1 minute)",
      Targets: [Match.objectLike({ Arn: { Ref: alias }, Input: '{"tidemark":"tick"}' })],
    });
  });

  it("runs the current Node LTS on arm64 with source maps", () => {
    template.hasResourceProperties("AWS::Lambda::Function", {
      Runtime: "nodejs24.x",
      Architectures: ["arm64"],
      Environment: { Variables: Match.objectLike({ NODE_OPTIONS: "--enable-source-maps" }) },
    });
  });

  it("keeps the checkpoint: on demand, recoverable, not deletable, retained", () => {
    template.hasResource("AWS::DynamoDB::Table", {
      DeletionPolicy: "Retain",
      Properties: Match.objectLike({
        BillingMode: "PAY_PER_REQUEST",
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        KeySchema: [
          { AttributeName: "pk", KeyType: "HASH" },
          { AttributeName: "sk", KeyType: "RANGE" },
        ],
      }),
    });
  });

  it("closes and encrypts the bucket, and no lifecycle rule expires a checkpoint object", () => {
    const bucket = Object.values(template.findResources("AWS::S3::Bucket"))[0]!["Properties"];
    expect(bucket.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    expect(bucket.BucketEncryption.ServerSideEncryptionConfiguration).toHaveLength(1);
    for (const rule of bucket.LifecycleConfiguration.Rules) {
      expect(Object.keys(rule).sort()).toEqual(["AbortIncompleteMultipartUpload", "Status"]);
    }
  });

  it("keeps a stream it creates for a week, and adopts one it is given", () => {
    template.hasResourceProperties("AWS::Kinesis::Stream", {
      Name: "page-views",
      RetentionPeriodHours: 168,
      StreamModeDetails: { StreamMode: "ON_DEMAND" },
    });
    const app = new App({ context: { "aws:cdk:bundling-stacks": [] } });
    const stack = new Stack(app, "Adopting");
    new StreamingQuery(stack, "Query", {
      query: QUERY,
      entry: "functions/page-views.ts",
      streams: { "page-views": Stream.fromStreamArn(stack, "Adopted", STREAM_ARN) },
    });
    Template.fromStack(stack).resourceCountIs("AWS::Kinesis::Stream", 0);
  });

  it("shows the plan's warnings when it is synthesised", () => {
    const app = new App({ context: { "aws:cdk:bundling-stacks": [] } });
    const stack = new Stack(app, "Warned");
    new StreamingQuery(stack, "Query", { query: UNBOUNDED, entry: "functions/page-views.ts" });
    Annotations.fromStack(stack).hasWarning("*", Match.stringLikeRegexp("tidemark:"));
  });

  it("reads every shard of every source through one alias: one invocation per shard at a time, one mapping per stream", () => {
    const joined = synthesise({ query: adClicks, shardCount: 4, reservedConcurrency: 9 }).template;
    joined.resourceCountIs("AWS::Lambda::EventSourceMapping", 2);
    joined.resourceCountIs("AWS::Lambda::Alias", 2);
    joined.allResourcesProperties("AWS::Kinesis::Stream", { ShardCount: 4 });
    joined.allResourcesProperties("AWS::Lambda::EventSourceMapping", { ParallelizationFactor: 1 });
    joined.hasResourceProperties("AWS::Lambda::Function", { ReservedConcurrentExecutions: 9 });
  });

  it("keeps no concurrency unless it is told to", () => {
    template.allResourcesProperties("AWS::Lambda::Function", { ReservedConcurrentExecutions: Match.absent() });
  });

  it("removes everything on request", () => {
    const removable = synthesise({ retain: false }).template;
    for (const type of ["AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::Kinesis::Stream"])
      removable.hasResource(type, { DeletionPolicy: "Delete" });
  });
});

const STREAM_ARN = "arn:aws:kinesis:eu-central-1:123456789012:stream/page-views";
const View = columns({ eventTime: timestamp(), page: string() });
const source = () => readStream(kinesis({ stream: "page-views", schema: View }));

const QUERY = source()
  .withWatermark("eventTime", "10 minutes")
  .groupBy(window("eventTime", "5 minutes"))
  .agg({ views: count() })
  .writeStream({ queryName: "adopted", outputMode: "append", sink: s3() });

/** Keys for ever: nothing here has an event time. */
const UNBOUNDED = source()
  .dropDuplicates(["page"])
  .writeStream({ queryName: "unbounded", outputMode: "append", sink: s3() });
