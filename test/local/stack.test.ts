import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { ListShardsCommand } from "@aws-sdk/client-kinesis";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { startStack } from "../../lib/local/stack.js";

test("a stack makes streams, tables and buckets, twice without harm, and its clients reach them", async () => {
  const stack = await startStack();
  for (let twice = 0; twice < 2; twice++) {
    expect(await stack.createStream("events", 3)).toBe("arn:aws:kinesis:us-east-1:000000000000:stream/events");
    await stack.createTable("checkpoint");
    await stack.createBucket("data");
  }
  const { kinesis, dynamodb, s3 } = stack.clients;
  expect((await kinesis.send(new ListShardsCommand({ StreamName: "events" }))).Shards).toHaveLength(3);
  const key = { pk: { S: "p" }, sk: { S: "s" } };
  await dynamodb.send(new PutItemCommand({ TableName: "checkpoint", Item: key }));
  expect((await dynamodb.send(new GetItemCommand({ TableName: "checkpoint", Key: key }))).Item).toEqual(key);
  await s3.send(new PutObjectCommand({ Bucket: "data", Key: "k", Body: "v" }));
  expect(stack.variables["AWS_ENDPOINT_URL_S3"]).toBe(stack.endpoints.s3);
  expect(stack.dataFile("x")).toBeNull();
  await stack.stop();
});

test("a stopped stack leaves no port open", async () => {
  const stack = await startStack();
  await stack.stop();
  for (const endpoint of Object.values(stack.endpoints)) await expect(fetch(endpoint)).rejects.toThrow();
});

test("a data directory is for one stack at a time, and goes on where a killed one ended", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "tidemark-test-"));
  try {
    const first = await startStack({ dataDir });
    await expect(startStack({ dataDir })).rejects.toMatchObject({ code: "data-directory-in-use" });
    await first.createBucket("data");
    await first.clients.s3.send(new PutObjectCommand({ Bucket: "data", Key: "k", Body: "v" }));
    await first.stop();

    const dead = execFileSync(process.execPath, ["-p", "process.pid"]).toString().trim();
    writeFileSync(join(dataDir, "lock"), dead);
    const next = await startStack({ dataDir });
    const object = await next.clients.s3.send(new GetObjectCommand({ Bucket: "data", Key: "k" }));
    expect(await object.Body!.transformToString()).toBe("v");
    await next.stop();
    expect(readdirSync(dataDir).sort()).toEqual(["dynamodb.log", "kinesis.log", "s3.log"]);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
