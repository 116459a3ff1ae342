import * as iam from "aws-cdk-lib/aws-iam";
import type * as kinesis from "aws-cdk-lib/aws-kinesis";
import { keyPrefix, keySegment } from "../lib/sinks/output-keys.js";
import type { DeployableQuery } from "./query-sources.js";
import type { QueryStorage } from "./query-storage.js";

/**
 * Everything that a query's function may do, action by action; `test/infra/grants.test.ts` holds the same list.
 * ListBucket is not narrowed by prefix: without it S3 answers 403 instead of 404 for a missing object, and "gone" could not be
 * told from "forbidden" (protocol rule 3).
 */
export function queryStatements(query: DeployableQuery, storage: QueryStorage): readonly iam.PolicyStatement[] {
  const { queryName, sink } = query.definition;
  const { bucket } = storage;
  const prefix = keyPrefix(typeof sink["prefix"] === "string" ? sink["prefix"] : "");
  const outputs = ["", ".late", ".malformed"].map((side) =>
    bucket.arnForObjects(`${prefix}${keySegment(queryName)}${side}/*`),
  );
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
    new iam.PolicyStatement({ sid: "Outputs", actions: ["s3:PutObject"], resources: outputs }),
  ];
}

/** What the tick needs to find silent shards; the event source mapping needs the same and DescribeStreamSummary. */
export const streamStatement = (stream: kinesis.IStream): iam.PolicyStatement =>
  new iam.PolicyStatement({
    actions: [
      "kinesis:DescribeStream",
      "kinesis:DescribeStreamSummary",
      "kinesis:GetRecords",
      "kinesis:GetShardIterator",
      "kinesis:ListShards",
    ],
    resources: [stream.streamArn],
  });

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
