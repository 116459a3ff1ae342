import { CreateTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startDynamoDbEmulator } from "../../lib/local/dynamodb-emulator/dynamodb-emulator.js";
import { dynamoDbTable } from "../../lib/sinks/dynamodb-table.js";
import { versionedTableContract } from "../contract/versioned-table.js";

let client: DynamoDBClient;
let stop: () => Promise<void>;
let tables = 0;

beforeAll(async () => {
  const emulator = await startDynamoDbEmulator();
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  client = new DynamoDBClient({ endpoint: emulator.endpoint, region: "us-east-1", credentials });
  stop = () => emulator.stop();
});
afterAll(async () => {
  client.destroy();
  await stop();
});

const open = async () => {
  const TableName = `results-${tables++}`;
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    }),
  );
  const valueUnder = async (id: string) =>
    (await client.send(new GetItemCommand({ TableName, Key: { id: { S: id } } }))).Item?.["value"];
  return { table: dynamoDbTable(client, TableName), valueUnder, TableName };
};

versionedTableContract("dynamoDbTable", open);

it("dynamoDbTable puts over an item that something else wrote", async () => {
  const { table, valueUnder, TableName } = await open();
  await client.send(new PutItemCommand({ TableName, Item: { id: { S: "a" }, value: { N: "1" } } }));
  const put = table.putIfNewer(
    { id: { S: "a" }, value: { N: "2" } },
    { incarnation: "1704067200000", batchId: 1, step: 0 },
  );
  expect(await put).toBe(true);
  expect(await valueUnder("a")).toEqual({ N: "2" });
});
