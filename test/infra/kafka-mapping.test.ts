import { App, Stack } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import { Vpc } from "aws-cdk-lib/aws-ec2";
import { Stream } from "aws-cdk-lib/aws-kinesis";
import { Key } from "aws-cdk-lib/aws-kms";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { describe, expect, it } from "vitest";
import { pageViews } from "../../functions/page-views.js";
import type { KafkaConnection } from "../../infra/kafka-mapping.js";
import { StreamingQuery } from "../../infra/streaming-query.js";
import { columns, kafka, long, readStream, s3 } from "../../lib/index.js";
import { statementsOf } from "./support.js";

const CLUSTER = "arn:aws:kafka:eu-central-1:111122223333:cluster/shop/1a2b";

function orders(connection: (stack: Stack) => KafkaConnection | undefined, bootstrapServers?: string): Template {
  const stack = new Stack(new App({ context: { "aws:cdk:bundling-stacks": [] } }), "Test");
  const query = readStream(
    kafka({ topic: "orders", schema: columns({ n: long() }), ...(bootstrapServers ? { bootstrapServers } : {}) }),
  ).writeStream({ queryName: "orders", outputMode: "append", sink: s3() });
  const own = connection(stack);
  new StreamingQuery(stack, "Query", {
    query,
    entry: "functions/orders.ts",
    ...(own === undefined ? {} : { kafka: { orders: own } }),
  });
  return Template.fromStack(stack);
}

describe("D5: a Kafka source", () => {
  it("of MSK gets its mapping, partial answers, no destination that would end the retries, and IAM rights to its topic", () => {
    const template = orders(() => ({ clusterArn: CLUSTER, authentication: { kind: "iam" } }));
    template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      EventSourceArn: CLUSTER,
      Topics: ["orders"],
      AmazonManagedKafkaEventSourceConfig: { ConsumerGroupId: "orders" },
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      ProvisionedPollerConfig: { MinimumPollers: 1 },
      StartingPosition: "TRIM_HORIZON",
      DestinationConfig: Match.absent(),
      ParallelizationFactor: Match.absent(),
    });
    template.hasResourceProperties("AWS::Lambda::Function", {
      Environment: { Variables: Match.objectLike({ TIDEMARK_KAFKA_PARTIAL_BATCHES: "true" }) },
    });
    const text = JSON.stringify(statementsOf(template, /^QueryFunctionRole/));
    expect(text).toContain("kafka-cluster:ReadData");
    expect(text).toContain("arn:aws:kafka:eu-central-1:111122223333:topic/shop/1a2b/orders");
  });

  it("of one's own brokers is authenticated by its secret, within its VPC", () => {
    const template = orders(
      (stack) => ({
        authentication: { kind: "scram-sha-512", secret: new Secret(stack, "Secret") },
        vpc: new Vpc(stack, "Vpc", { maxAzs: 1 }),
      }),
      "broker-1:9092, broker-2:9092",
    );
    template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      SelfManagedEventSource: { Endpoints: { KafkaBootstrapServers: ["broker-1:9092", "broker-2:9092"] } },
      SourceAccessConfigurations: Match.arrayWith([
        Match.objectLike({ Type: "SASL_SCRAM_512_AUTH" }),
        Match.objectLike({ Type: "VPC_SUBNET" }),
      ]),
    });
    expect(JSON.stringify(statementsOf(template, /^QueryFunctionRole/))).toContain("secretsmanager:GetSecretValue");
  });

  it("of which nothing says where it is, is refused at synth", () => {
    expect(() => orders(() => undefined)).toThrow(/\[kafka-connection-missing\].*'orders'/);
  });
});

describe("C13: an adopted stream", () => {
  it("is known by its ARN, and read with its customer's key", () => {
    const stack = new Stack(new App({ context: { "aws:cdk:bundling-stacks": [] } }), "Test");
    const streamArn = "arn:aws:kinesis:eu-central-1:999999999999:stream/page-views";
    const encryptionKey = Key.fromKeyArn(stack, "Key", "arn:aws:kms:eu-central-1:999999999999:key/1");
    const stream = Stream.fromStreamAttributes(stack, "Adopted", { streamArn, encryptionKey });
    new StreamingQuery(stack, "Query", {
      query: pageViews,
      entry: "functions/page-views.ts",
      streams: { "page-views": stream },
    });
    const template = Template.fromStack(stack);
    template.hasResourceProperties("AWS::Lambda::Function", {
      Environment: {
        Variables: Match.objectLike({ TIDEMARK_STREAM_ARNS: JSON.stringify({ "page-views": streamArn }) }),
      },
    });
    const statements = statementsOf(template, /^QueryFunctionRole/);
    expect(statements.find(({ Action }) => Action === "kms:Decrypt")?.Resource).toBe(encryptionKey.keyArn);
  });
});
