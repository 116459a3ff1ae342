import { CreateTableCommand } from "@aws-sdk/client-dynamodb";
import { CreateStreamCommand, DescribeStreamSummaryCommand } from "@aws-sdk/client-kinesis";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import type { StackClients } from "./stack-clients.js";

/** Each is no error where it exists already: a stack with a data directory finds its own again. */
export async function ensureStream({ kinesis }: StackClients, name: string, shardCount: number): Promise<string> {
  await unlessExists(kinesis.send(new CreateStreamCommand({ StreamName: name, ShardCount: shardCount })));
  const { StreamDescriptionSummary } = await kinesis.send(new DescribeStreamSummaryCommand({ StreamName: name }));
  return StreamDescriptionSummary!.StreamARN!;
}

interface TableKey {
  readonly name: string;
  readonly type: "S" | "N" | "B";
}

/** Partition key, then sort key if there is one. */
export type TableKeys = readonly [TableKey] | readonly [TableKey, TableKey];

export const CHECKPOINT_KEYS: TableKeys = [
  { name: "pk", type: "S" },
  { name: "sk", type: "S" },
];

export async function ensureTable({ dynamodb }: StackClients, name: string, keys: TableKeys): Promise<void> {
  await unlessExists(
    dynamodb.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: keys.map((key) => ({ AttributeName: key.name, AttributeType: key.type })),
        KeySchema: keys.map((key, i) => ({ AttributeName: key.name, KeyType: i === 0 ? "HASH" : "RANGE" })),
      }),
    ),
  );
}

export async function ensureBucket({ s3 }: StackClients, name: string): Promise<void> {
  await unlessExists(s3.send(new CreateBucketCommand({ Bucket: name })));
}

async function unlessExists(creation: Promise<unknown>): Promise<void> {
  try {
    await creation;
  } catch (error) {
    const existing = ["ResourceInUseException", "BucketAlreadyOwnedByYou"];
    if (!existing.includes((error as Error).name)) throw error;
  }
}
