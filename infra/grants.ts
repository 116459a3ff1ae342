import { Aws } from "aws-cdk-lib";
import type * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import * as iam from "aws-cdk-lib/aws-iam";
import type * as kinesis from "aws-cdk-lib/aws-kinesis";
import type * as s3 from "aws-cdk-lib/aws-s3";
import type { SinkDescriptor } from "../lib/api/descriptors.js";
import { SINKS, SOURCES, sinksOf, TABLES } from "../lib/plan/connectors/catalogue.js";
import type { SinkConnector } from "../lib/plan/connectors/sink-connector.js";
import type { StaticNode } from "../lib/plan/logical-plan.js";
import { keyPrefix, keySegment } from "../lib/sinks/output-keys.js";
import { type DeployableQuery, staticTables } from "./query-sources.js";
import type { QueryStorage } from "./query-storage.js";

/**
 * Everything that a query's function may do, action by action; `test/infra/grants.test.ts` holds the same list.
 * ListBucket is not narrowed by prefix: without it S3 answers 403 instead of 404 for a missing object, and "gone" could not be
 * told from "forbidden" (protocol rule 3).
 */
export function queryStatements(query: DeployableQuery, storage: QueryStorage): readonly iam.PolicyStatement[] {
  const { queryName } = query.definition;
  const { bucket } = storage;
  const outputs = outputArns(query, storage);
  return [
    new iam.PolicyStatement({
      sid: "CheckpointItems",
      actions: ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"],
      resources: [storage.table.tableArn],
      conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [queryName, `${queryName}#*`] } },
    }),
    new iam.PolicyStatement({
      sid: "CheckpointObjects",
      actions: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
      resources: [bucket.arnForObjects(`checkpoints/${queryName}/*`)],
    }),
    new iam.PolicyStatement({
      sid: "TellGoneFromForbidden",
      actions: ["s3:ListBucket"],
      resources: [bucket.bucketArn],
    }),
    ...(outputs.length === 0
      ? []
      : [new iam.PolicyStatement({ sid: "Outputs", actions: [...SINKS.s3.grants], resources: [...outputs] })]),
    ...sinksOf(query.definition).flatMap((sink) => deltaStatements(sink, storage)),
    ...staticTables(query).flatMap((table) => tableStatements(table, storage)),
  ];
}

/** A fixed table is read whole at a cold start, from the one object or the one table that the query names. */
function tableStatements({ descriptor }: StaticNode, { bucket }: QueryStorage): readonly iam.PolicyStatement[] {
  const statement = (resource: string) =>
    new iam.PolicyStatement({ actions: [...TABLES[descriptor.kind].grants], resources: [resource] });
  switch (descriptor.kind) {
    case "table":
      return [];
    case "s3":
      return [statement(objectsArn(descriptor.bucket, bucket, descriptor.key))];
    case "dynamodb":
      return [statement(`arn:${Aws.PARTITION}:dynamodb:${Aws.REGION}:${Aws.ACCOUNT_ID}:table/${descriptor.table}`)];
  }
}

/** Of the deployment's own bucket, unless another is named. */
const objectsArn = (other: string | undefined, bucket: s3.IBucket, keys: string): string =>
  other === undefined ? bucket.arnForObjects(keys) : `arn:${Aws.PARTITION}:s3:::${other}/${keys}`;

/** A Delta table is read and written in its folder; its log is listed, which S3 grants for a whole bucket. */
function deltaStatements(
  sink: SinkConnector | SinkDescriptor,
  { bucket }: QueryStorage,
): readonly iam.PolicyStatement[] {
  if (sink.kind !== "delta") return [];
  const table = objectsArn(sink.bucket, bucket, `${keyPrefix(sink.path)}*`);
  const statement = new iam.PolicyStatement({
    sid: "DeltaTable",
    actions: [...SINKS.delta.grants],
    resources: [table],
  });
  if (sink.bucket === undefined) return [statement];
  const other = `arn:${Aws.PARTITION}:s3:::${sink.bucket}`;
  return [statement, new iam.PolicyStatement({ sid: "DeltaLog", actions: ["s3:ListBucket"], resources: [other] })];
}

/** Results, late and malformed rows in the sink's bucket; only the latter two, in the deployment's, where results go elsewhere. */
const outputArns = ({ definition }: DeployableQuery, storage: QueryStorage): readonly string[] => [
  ...new Set(sinksOf(definition).flatMap((sink) => outputArnsOf(definition.queryName, sink, storage))),
];

function outputArnsOf(
  queryName: string,
  sink: SinkConnector | SinkDescriptor,
  { bucket }: QueryStorage,
): readonly string[] {
  const folder = keySegment(queryName);
  const sides = [".late", ".malformed"].map((side) => `${folder}${side}/*`);
  switch (sink.kind) {
    case "s3":
      return [`${folder}/*`, ...sides].map((keys) =>
        objectsArn(sink.bucket, bucket, `${keyPrefix(sink.prefix ?? "")}${keys}`),
      );
    case "delta":
    case "dynamodb":
    case "kinesis":
    case "foreachBatch":
      return sides.map((keys) => bucket.arnForObjects(keys));
    case "console":
    case "memory":
      return [];
  }
}

/** Of sinks that the query wrote to before: what was committed for them and may not be out yet goes there. */
export const formerSinkStatements = (
  query: DeployableQuery,
  storage: QueryStorage,
  sinks: readonly SinkDescriptor[],
): readonly iam.PolicyStatement[] =>
  sinks.flatMap((sink) => {
    const puts = (kind: "s3" | "dynamodb" | "kinesis", resources: readonly string[]) =>
      resources.length === 0
        ? []
        : [new iam.PolicyStatement({ actions: [...SINKS[kind].grants], resources: [...resources] })];
    const named = `${Aws.PARTITION}:${sink.kind}:${Aws.REGION}:${Aws.ACCOUNT_ID}`;
    return [
      ...puts("s3", outputArnsOf(query.definition.queryName, sink, storage)),
      ...deltaStatements(sink, storage),
      ...(sink.kind === "dynamodb" ? puts("dynamodb", [`arn:${named}:table/${sink.table}`]) : []),
      ...(sink.kind === "kinesis" ? puts("kinesis", [`arn:${named}:stream/${sink.stream}`]) : []),
    ];
  });

/** Of the sink `dynamodb()`: its one conditional put per key. */
export const sinkTableStatement = (table: dynamodb.ITable): iam.PolicyStatement =>
  new iam.PolicyStatement({ sid: "ResultItems", actions: [...SINKS.dynamodb.grants], resources: [table.tableArn] });

/** Of the sink `kinesis()`. */
export const sinkStreamStatement = (stream: kinesis.IStream): iam.PolicyStatement =>
  new iam.PolicyStatement({ sid: "ResultRecords", actions: [...SINKS.kinesis.grants], resources: [stream.streamArn] });

/** What the tick needs to find silent shards; the event source mapping needs the same and DescribeStreamSummary. */
export const streamStatement = (stream: kinesis.IStream): iam.PolicyStatement =>
  new iam.PolicyStatement({ actions: [...SOURCES.kinesis.grants], resources: [stream.streamArn] });

/** The sweeper reads pointer and slots, and deletes what nothing names any more; it writes nothing that a query reads. */
export function sweeperStatements(queryName: string, storage: QueryStorage): readonly iam.PolicyStatement[] {
  return [
    new iam.PolicyStatement({
      sid: "ReadCheckpointItems",
      actions: ["dynamodb:GetItem", "dynamodb:BatchGetItem"],
      resources: [storage.table.tableArn],
      conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [queryName, `${queryName}#*`] } },
    }),
    new iam.PolicyStatement({
      sid: "SweepCheckpointObjects",
      // Put: one empty object tells the store's own clock.
      actions: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
      resources: [storage.bucket.arnForObjects(`checkpoints/${queryName}/*`)],
    }),
    new iam.PolicyStatement({
      sid: "ListCheckpointObjects",
      actions: ["s3:ListBucket"],
      resources: [storage.bucket.bucketArn],
    }),
  ];
}

/** A heartbeat function puts records and asks for the shards' hash ranges. */
export const heartbeatStatement = (stream: kinesis.IStream): iam.PolicyStatement =>
  new iam.PolicyStatement({ actions: ["kinesis:ListShards", "kinesis:PutRecord"], resources: [stream.streamArn] });

/** IAM takes each name once in a policy; a second sink's statement goes without. */
export function uniquelyNamed(statements: readonly iam.PolicyStatement[]): readonly iam.PolicyStatement[] {
  const seen = new Set<string>();
  for (const statement of statements) {
    if (statement.sid === undefined) continue;
    if (seen.has(statement.sid)) statement.sid = undefined;
    else seen.add(statement.sid);
  }
  return statements;
}
