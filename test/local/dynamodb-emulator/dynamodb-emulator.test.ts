import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDynamoDbEmulator } from "../../../lib/local/dynamodb-emulator/dynamodb-emulator.js";
import type { LoopbackServer } from "../../../lib/local/loopback-server.js";

const TableName = "checkpoint";
const connect = (endpoint: string) =>
  new DynamoDBClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 1,
  });
const createTable = new CreateTableCommand({
  TableName,
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "S" },
  ],
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
});
const key = (sk: string) => ({ pk: { S: "p" }, sk: { S: sk } });

let server: LoopbackServer;
let client: DynamoDBClient;
beforeAll(async () => {
  server = await startDynamoDbEmulator();
  client = connect(server.endpoint);
  await client.send(createTable);
});
afterAll(async () => {
  client.destroy();
  await server.stop();
});

test("a failed condition of a put returns the item that stands", async () => {
  const put = (n: number) =>
    client.send(
      new PutItemCommand({
        TableName,
        Item: { ...key("slot#1"), batchId: { N: `${n}` }, body: { B: new Uint8Array([1, n]) } },
        ConditionExpression: "attribute_not_exists(pk)",
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
  await put(1);
  const error = await put(2).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ConditionalCheckFailedException);
  const { Item } = error as ConditionalCheckFailedException;
  expect(Item?.["batchId"]).toEqual({ N: "1" });
  expect([...(Item?.["body"]?.B ?? [])]).toEqual([1, 1]);
});

test("a failed condition of an update returns the item, and no item where there is none", async () => {
  const raise = (sk: string) =>
    client.send(
      new UpdateItemCommand({
        TableName,
        Key: key(sk),
        UpdateExpression: "SET publishedThrough = :p",
        ConditionExpression: "publishedThrough < :p",
        ExpressionAttributeValues: { ":p": { N: "5" } },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
  await client.send(new PutItemCommand({ TableName, Item: { ...key("snapshot"), publishedThrough: { N: "7" } } }));
  const standing = (await raise("snapshot").catch((e: unknown) => e)) as ConditionalCheckFailedException;
  expect(standing.Item?.["publishedThrough"]).toEqual({ N: "7" });
  const absent = (await raise("nothing").catch((e: unknown) => e)) as ConditionalCheckFailedException;
  expect(absent.name).toBe("ConditionalCheckFailedException");
  expect(absent.Item).toBeUndefined();
});

test("of twenty concurrent conditional puts one wins", async () => {
  const attempts = Array.from({ length: 20 }, (_, n) =>
    client.send(
      new PutItemCommand({
        TableName,
        Item: { ...key("race"), n: { N: `${n}` } },
        ConditionExpression: "attribute_not_exists(pk)",
      }),
    ),
  );
  const results = await Promise.allSettled(attempts);
  expect(results.filter((r) => r.status === "fulfilled")).toHaveLength(1);
});

test("an item above 400 KB is refused", async () => {
  const put = new PutItemCommand({ TableName, Item: { ...key("big"), body: { B: new Uint8Array(410_000) } } });
  await expect(client.send(put)).rejects.toThrow(/Item size has exceeded/);
});

test("a transaction writes everything or nothing and names the failed condition", async () => {
  const transact = (expected: string) =>
    client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName, Item: { ...key("t1"), v: { S: "new" } } } },
          {
            Update: {
              TableName,
              Key: key("t2"),
              UpdateExpression: "SET v = :new",
              ConditionExpression: "v = :old",
              ExpressionAttributeValues: { ":new": { S: "new" }, ":old": { S: expected } },
              ReturnValuesOnConditionCheckFailure: "ALL_OLD",
            },
          },
        ],
      }),
    );
  await client.send(new PutItemCommand({ TableName, Item: { ...key("t2"), v: { S: "old" } } }));
  const error = (await transact("other").catch((e: unknown) => e)) as TransactionCanceledException;
  expect(error).toBeInstanceOf(TransactionCanceledException);
  expect(error.CancellationReasons?.map((r) => r.Code)).toEqual(["None", "ConditionalCheckFailed"]);
  expect(error.CancellationReasons?.[1]?.Item?.["v"]).toEqual({ S: "old" });
  const read = () =>
    client.send(
      new TransactGetItemsCommand({
        TransactItems: [{ Get: { TableName, Key: key("t1") } }, { Get: { TableName, Key: key("t2") } }],
      }),
    );
  expect((await read()).Responses?.map((r) => r.Item?.["v"]?.S)).toEqual([undefined, "old"]);
  await transact("old");
  expect((await read()).Responses?.map((r) => r.Item?.["v"]?.S)).toEqual(["new", "new"]);
});

test("the time-to-live setting is kept", async () => {
  const TimeToLiveSpecification = { Enabled: true, AttributeName: "expiresAt" };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: "ENABLED", AttributeName: "expiresAt" });
});

test("with a journal, every kind of write is there after a restart", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tidemark-test-"));
  const options = { journalPath: join(directory, "dynamodb.log") };
  try {
    const first = await startDynamoDbEmulator(options);
    const before = connect(first.endpoint);
    await before.send(createTable);
    for (let n = 0; n < 5; n++) {
      await before.send(new PutItemCommand({ TableName, Item: { ...key("put"), n: { N: `${n}` } } }));
    }
    await before.send(new PutItemCommand({ TableName, Item: key("deleted") }));
    await before.send(new DeleteItemCommand({ TableName, Key: key("deleted") }));
    await before.send(
      new UpdateItemCommand({
        TableName,
        Key: key("updated"),
        UpdateExpression: "ADD n :one",
        ExpressionAttributeValues: { ":one": { N: "1" } },
      }),
    );
    await before.send(
      new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item: key("batch") } }] } }),
    );
    await before.send(
      new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item: key("transaction") } }] }),
    );
    before.destroy();
    await first.stop();

    for (let restart = 0; restart < 2; restart++) {
      const next = await startDynamoDbEmulator(options);
      const after = connect(next.endpoint);
      const { Items } = await after.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: "pk = :p",
          ExpressionAttributeValues: { ":p": { S: "p" } },
        }),
      );
      expect(Items?.map((item) => item["sk"]?.S)).toEqual(["batch", "put", "transaction", "updated"]);
      const { Item } = await after.send(new GetItemCommand({ TableName, Key: key("put") }));
      expect(Item?.["n"]).toEqual({ N: "4" });
      after.destroy();
      await next.stop();
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
});
