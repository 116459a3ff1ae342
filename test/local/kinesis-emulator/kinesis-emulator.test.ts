import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CreateStreamCommand,
  DescribeStreamSummaryCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ListShardsCommand,
  MergeShardsCommand,
  PutRecordCommand,
  PutRecordsCommand,
  type ShardIteratorType,
  SplitShardCommand,
  UpdateShardCountCommand,
  waitUntilStreamExists,
} from "@aws-sdk/client-kinesis";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type KinesisEmulatorOptions,
  startKinesisEmulator,
} from "../../../lib/local/kinesis-emulator/kinesis-emulator.js";
import type { LoopbackServer } from "../../../lib/local/loopback-server.js";

const StreamName = "events";
const connect = (endpoint: string, http2 = false) =>
  new KinesisClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 1,
    ...(http2 ? {} : { requestHandler: new NodeHttpHandler() }),
  });

let now: number;
let server: LoopbackServer;
let client: KinesisClient;
const start = async (shards: number, options: KinesisEmulatorOptions = {}) => {
  server = await startKinesisEmulator({ now: () => now, ...options });
  client = connect(server.endpoint);
  if (shards > 0) await client.send(new CreateStreamCommand({ StreamName, ShardCount: shards }));
};
beforeEach(() => {
  now = Date.UTC(2026, 0, 1);
});
afterEach(async () => {
  client.destroy();
  await server.stop();
});

const put = (PartitionKey: string, text: string, more: object = {}) =>
  client.send(new PutRecordCommand({ StreamName, PartitionKey, Data: Buffer.from(text), ...more }));
const shards = async () => (await client.send(new ListShardsCommand({ StreamName }))).Shards!;
const iterator = async (ShardId: string, ShardIteratorType: ShardIteratorType, more: object = {}) =>
  (await client.send(new GetShardIteratorCommand({ StreamName, ShardId, ShardIteratorType, ...more }))).ShardIterator!;
const get = (ShardIterator: string, more: object = {}) =>
  client.send(new GetRecordsCommand({ ShardIterator, ...more }));
const texts = (output: { Records?: { Data?: Uint8Array | undefined }[] | undefined }) =>
  output.Records!.map((record) => Buffer.from(record.Data!).toString());
const nameOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "no error",
    (error: Error) => error.name,
  );
const first = "shardId-000000000000";

test("records come back in order with their keys, arrival times and rising numbers of 56 digits", async () => {
  await start(1);
  await waitUntilStreamExists({ client, maxWaitTime: 15 }, { StreamName });
  await put("k1", "one");
  now += 5;
  await put("k2", "two");
  const { Records, MillisBehindLatest } = await get(await iterator(first, "TRIM_HORIZON"));
  expect(texts({ Records })).toEqual(["one", "two"]);
  expect(Records!.map((r) => r.PartitionKey)).toEqual(["k1", "k2"]);
  expect(Records!.map((r) => r.ApproximateArrivalTimestamp!.getTime())).toEqual([now - 5, now]);
  const numbers = Records!.map((r) => r.SequenceNumber!);
  expect(numbers.map((n) => n.length)).toEqual([56, 56]);
  expect(BigInt(numbers[0]!) < BigInt(numbers[1]!)).toBe(true);
  expect(MillisBehindLatest).toBe(0);
});

test("a page that leaves records behind says how old the next one is, never zero", async () => {
  await start(1);
  for (const text of ["a", "b", "c"]) await put("k", text);
  const same = await get(await iterator(first, "TRIM_HORIZON"), { Limit: 2 });
  expect(same.MillisBehindLatest).toBe(1);
  now += 700;
  const later = await get(await iterator(first, "TRIM_HORIZON"), { Limit: 2 });
  expect(later.MillisBehindLatest).toBe(700);
  const rest = await get(later.NextShardIterator!);
  expect(texts(rest)).toEqual(["c"]);
  expect(rest.MillisBehindLatest).toBe(0);
});

test("every kind of iterator starts where it says", async () => {
  await start(1);
  const numbers: string[] = [];
  for (const text of ["a", "b", "c"]) {
    numbers.push((await put("k", text)).SequenceNumber!);
    now += 1000;
  }
  const read = async (type: ShardIteratorType, more: object = {}) =>
    texts(await get(await iterator(first, type, more)));
  expect(await read("AT_SEQUENCE_NUMBER", { StartingSequenceNumber: numbers[1] })).toEqual(["b", "c"]);
  expect(await read("AFTER_SEQUENCE_NUMBER", { StartingSequenceNumber: numbers[1] })).toEqual(["c"]);
  expect(await read("AT_TIMESTAMP", { Timestamp: new Date(now - 2000) })).toEqual(["b", "c"]);
  expect(await read("AT_TIMESTAMP", { Timestamp: new Date(now) })).toEqual([]);
  const latest = await iterator(first, "LATEST");
  await put("k", "d");
  expect(texts(await get(latest))).toEqual(["d"]);
});

test("an iterator expires after five minutes", async () => {
  await start(1);
  const old = await iterator(first, "LATEST");
  now += 300_001;
  expect(await nameOf(get(old))).toBe("ExpiredIteratorException");
});

test("records fall on shards by the MD5 of the key, or by the explicit hash key", async () => {
  await start(4);
  const all = await shards();
  expect(all.map((s) => s.HashKeyRange!.StartingHashKey)).toEqual(
    [0n, 1n, 2n, 3n].map((i) => ((1n << 128n) * i) / 4n).map(String),
  );
  // md5("a") = 0cc1…, md5("b") = 92eb…
  expect((await put("a", "x")).ShardId).toBe("shardId-000000000000");
  expect((await put("b", "x")).ShardId).toBe("shardId-000000000002");
  const last = all[3]!.HashKeyRange!.EndingHashKey!;
  expect((await put("a", "x", { ExplicitHashKey: last })).ShardId).toBe("shardId-000000000003");
  expect(await nameOf(put("a", "x", { ExplicitHashKey: `${BigInt(last) + 1n}` }))).toBe("InvalidArgumentException");
});

test("limits: 500 records a call, 1 MB a record, 256 characters a key", async () => {
  await start(1);
  const Records = (count: number) =>
    Array.from({ length: count }, () => ({ PartitionKey: "k", Data: Buffer.from("x") }));
  await client.send(new PutRecordsCommand({ StreamName, Records: Records(500) }));
  expect(await nameOf(client.send(new PutRecordsCommand({ StreamName, Records: Records(501) })))).toBe(
    "ValidationException",
  );
  await put("k", "x".repeat(1 << 20));
  expect(await nameOf(put("k", "x".repeat((1 << 20) + 1)))).toBe("ValidationException");
  expect(await nameOf(put("k".repeat(257), "x"))).toBe("ValidationException");
  expect(
    await nameOf(client.send(new PutRecordCommand({ StreamName: "none", PartitionKey: "k", Data: Buffer.from("x") }))),
  ).toBe("ResourceNotFoundException");
});

test("throttled, a call accepts what fits and names what did not, and the next second is free", async () => {
  await start(1, { throttle: true });
  const Records = Array.from({ length: 500 }, () => ({ PartitionKey: "k", Data: Buffer.from("x") }));
  await client.send(new PutRecordsCommand({ StreamName, Records }));
  await put("k", "x");
  const third = await client.send(new PutRecordsCommand({ StreamName, Records }));
  expect(third.FailedRecordCount).toBe(1);
  expect(third.Records!.at(-1)!.ErrorCode).toBe("ProvisionedThroughputExceededException");
  expect(await nameOf(put("k", "x"))).toBe("ProvisionedThroughputExceededException");
  const at = await iterator(first, "TRIM_HORIZON");
  for (let read = 0; read < 5; read++) await get(at);
  expect(await nameOf(get(at))).toBe("ProvisionedThroughputExceededException");
  now += 1000;
  await put("k", "x");
  await get(at);
});

test("a split shard ends, names its children, and takes no more records", async () => {
  await start(1);
  await put("a", "before");
  await client.send(
    new SplitShardCommand({ StreamName, ShardToSplit: first, NewStartingHashKey: (1n << 127n).toString() }),
  );
  expect((await put("b", "after")).ShardId).toBe("shardId-000000000002");
  const page = await get(await iterator(first, "TRIM_HORIZON"));
  expect(texts(page)).toEqual(["before"]);
  expect(page.NextShardIterator).toBeUndefined();
  expect(page.ChildShards!.map((child) => [child.ShardId, child.ParentShards])).toEqual([
    ["shardId-000000000001", [first]],
    ["shardId-000000000002", [first]],
  ]);
  const [parent, ...children] = await shards();
  const ends = BigInt(parent!.SequenceNumberRange!.EndingSequenceNumber!);
  for (const child of children) {
    expect(child.ParentShardId).toBe(first);
    expect(BigInt(child.SequenceNumberRange!.StartingSequenceNumber!) > ends).toBe(true);
  }
});

test("merged shards become one with two parents, and only neighbours merge", async () => {
  await start(3);
  const merge = (ShardToMerge: string, AdjacentShardToMerge: string) =>
    client.send(new MergeShardsCommand({ StreamName, ShardToMerge, AdjacentShardToMerge }));
  expect(await nameOf(merge("shardId-000000000000", "shardId-000000000002"))).toBe("InvalidArgumentException");
  await merge("shardId-000000000001", "shardId-000000000000");
  const child = (await shards())[3]!;
  expect([child.ParentShardId, child.AdjacentParentShardId]).toEqual(["shardId-000000000001", "shardId-000000000000"]);
  expect(await nameOf(merge("shardId-000000000000", "shardId-000000000003"))).toBe("InvalidArgumentException");
});

test.each([
  [2, 4],
  [4, 3],
  [3, 5],
  [5, 3],
])("updating the count from %i to %i leaves equal ranges that cover everything", async (from, to) => {
  await start(from);
  await client.send(new UpdateShardCountCommand({ StreamName, TargetShardCount: to, ScalingType: "UNIFORM_SCALING" }));
  const open = (await shards()).filter((s) => s.SequenceNumberRange!.EndingSequenceNumber === undefined);
  const starts = open.map((s) => BigInt(s.HashKeyRange!.StartingHashKey!)).sort((a, b) => (a < b ? -1 : 1));
  expect(starts).toEqual(Array.from({ length: to }, (_, i) => ((1n << 128n) * BigInt(i)) / BigInt(to)));
  const summary = await client.send(new DescribeStreamSummaryCommand({ StreamName }));
  expect(summary.StreamDescriptionSummary!.OpenShardCount).toBe(to);
});

test("shards are listed in pages and by filter", async () => {
  await start(5);
  const firstPage = await client.send(new ListShardsCommand({ StreamName, MaxResults: 3 }));
  const secondPage = await client.send(new ListShardsCommand({ NextToken: firstPage.NextToken, MaxResults: 3 }));
  expect([...firstPage.Shards!, ...secondPage.Shards!].map((s) => s.ShardId)).toEqual(
    (await shards()).map((s) => s.ShardId),
  );
  expect(secondPage.NextToken).toBeUndefined();
  await client.send(
    new MergeShardsCommand({ StreamName, ShardToMerge: first, AdjacentShardToMerge: "shardId-000000000001" }),
  );
  const latest = await client.send(new ListShardsCommand({ StreamName, ShardFilter: { Type: "AT_LATEST" } }));
  expect(latest.Shards!.map((s) => s.ShardId!.at(-1))).toEqual(["2", "3", "4", "5"]);
});

test("the client's own HTTP/2 handler works too", async () => {
  await start(1);
  const http2 = connect(server.endpoint, true);
  const Records = Array.from({ length: 500 }, (_, i) => ({ PartitionKey: `${i}`, Data: Buffer.alloc(500, i) }));
  const { FailedRecordCount } = await http2.send(new PutRecordsCommand({ StreamName, Records }));
  expect(FailedRecordCount).toBe(0);
  http2.destroy();
});

test("records beyond the retention are forgotten", async () => {
  await start(1, { retentionMs: 60_000 });
  await put("k", "old");
  now += 60_001;
  await put("k", "new");
  expect(texts(await get(await iterator(first, "TRIM_HORIZON")))).toEqual(["new"]);
});

test("with a journal, streams, lineage, records and places in them hold over a restart", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tidemark-test-"));
  const options = { journalPath: join(directory, "kinesis.log") };
  try {
    await start(1, options);
    await put("a", "one");
    await put("a", "two");
    const place = (await get(await iterator(first, "TRIM_HORIZON"), { Limit: 1 })).NextShardIterator!;
    await client.send(
      new SplitShardCommand({ StreamName, ShardToSplit: first, NewStartingHashKey: (1n << 127n).toString() }),
    );
    const { SequenceNumber } = await put("b", "three");
    const before = await shards();
    client.destroy();
    await server.stop();

    now -= 3_600_000; // a clock set back
    await start(0, options);
    expect(await shards()).toEqual(before);
    expect(texts(await get(place))).toEqual(["two"]);
    expect(texts(await get(await iterator("shardId-000000000002", "TRIM_HORIZON")))).toEqual(["three"]);
    const next = (await put("b", "four")).SequenceNumber!;
    expect(BigInt(next) > BigInt(SequenceNumber!)).toBe(true);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
