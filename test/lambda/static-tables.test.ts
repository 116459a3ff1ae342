import { gzipSync } from "node:zlib";
import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { columns, long, readTable, string } from "../../lib/index.js";
import type { Clients } from "../../lib/lambda/clients.js";
import { staticTableReader } from "../../lib/lambda/static-tables.js";
import { type Stack, startStack } from "../../lib/local/stack.js";
import type { StoredTable } from "../../lib/runtime/open-streaming-query.js";

const schema = columns({ page: string(), views: long() });
const nodeOf = (table: { readonly plan: unknown }): StoredTable => table.plan as unknown as StoredTable;
const inS3 = (key: string) => nodeOf(readTable({ name: "pages", schema, s3: { key } }));

let stack: Stack;
let read: (table: StoredTable) => Promise<readonly unknown[]>;

beforeAll(async () => {
  stack = await startStack();
  const { kinesis, dynamodb, s3 } = stack.clients;
  const clients: Clients = { kinesis: async () => kinesis, dynamodb: async () => dynamodb, s3: async () => s3 };
  await stack.createBucket("own");
  read = staticTableReader(clients, "own");
});

afterAll(() => stack.stop());

const put = (key: string, body: Uint8Array | string) =>
  stack.clients.s3.send(new PutObjectCommand({ Bucket: "own", Key: key, Body: body }));

describe("a fixed table", () => {
  it("is read from an S3 object of JSON lines, gzipped or not", async () => {
    const lines = '{"page":"/","views":9007199254740993}\n\n{"page":"/docs"}\n';
    const rows = [
      { page: "/", views: 9007199254740993n },
      { page: "/docs", views: null },
    ];
    await put("plain.jsonl", lines);
    await put("packed.jsonl.gz", gzipSync(lines));
    expect(await read(inS3("plain.jsonl"))).toEqual(rows);
    expect(await read(inS3("packed.jsonl.gz"))).toEqual(rows);
  });

  it("is read from a DynamoDB table, numbers with all their digits", async () => {
    await stack.createTable("pages", [{ name: "page", type: "S" }]);
    const item = (page: string, views: string) =>
      stack.clients.dynamodb.send(
        new PutItemCommand({
          TableName: "pages",
          Item: { page: { S: page }, views: { N: views }, other: { BOOL: true } },
        }),
      );
    await item('/"quoted"', "1");
    await item("/", "9007199254740993");
    const rows = await read(nodeOf(readTable({ name: "pages", schema, dynamodb: { table: "pages" } })));
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ page: "/", views: 9007199254740993n }),
        expect.objectContaining({ page: '/"quoted"', views: 1 }),
      ]),
    );
  });

  it("stops the query where a row does not fit or an object is missing", async () => {
    await put("bad.jsonl", '{"page":"/","views":1}\n{"page":"/","views":"many"}\n');
    await expect(read(inS3("bad.jsonl"))).rejects.toThrow(/\[table-row\] Row 2 of the table "pages"/);
    await expect(read(inS3("none.jsonl"))).rejects.toThrow("[table-missing]");
  });
});
