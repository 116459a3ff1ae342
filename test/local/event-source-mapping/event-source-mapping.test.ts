import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PutRecordsCommand, SplitShardCommand, UpdateShardCountCommand } from "@aws-sdk/client-kinesis";
import type { KinesisStreamEvent } from "aws-lambda";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { DeliveredRecord } from "../../../lib/local/event-source-mapping/event-record.js";
import {
  type EventSourceMapping,
  startEventSourceMapping,
} from "../../../lib/local/event-source-mapping/event-source-mapping.js";
import type { MappingOptions } from "../../../lib/local/event-source-mapping/mapping-options.js";
import { type Stack, startStack } from "../../../lib/local/stack.js";

const streamName = "events";
type Event = { readonly Records: readonly DeliveredRecord[] };

let stack: Stack;
let mappings: EventSourceMapping[];
beforeEach(async () => {
  stack = await startStack();
  mappings = [];
});
afterEach(async () => {
  await Promise.all(mappings.map((mapping) => mapping.stop()));
  await stack.stop();
});

const put = (...texts: string[]) =>
  stack.clients.kinesis.send(
    new PutRecordsCommand({
      StreamName: streamName,
      Records: texts.map((text) => ({ PartitionKey: text.split(":")[0]!, Data: Buffer.from(text) })),
    }),
  );
const map = async (invoke: MappingOptions["invoke"], more: Partial<MappingOptions> = {}) => {
  const mapping = await startEventSourceMapping({
    kinesis: stack.clients.kinesis,
    streamName,
    invoke,
    pollMs: 5,
    backoffMs: 1,
    ...more,
  });
  mappings.push(mapping);
  return mapping;
};
const textsOf = ({ Records }: Event) => Records.map(({ kinesis }) => Buffer.from(kinesis.data, "base64").toString());

test("the handler gets genuine Kinesis events", async () => {
  await stack.createStream(streamName);
  await put("key:ä");
  const events: Event[] = [];
  const mapping = await map(async (event) => void events.push(event));
  await mapping.whenCaughtUp();
  expect(events).toHaveLength(1);
  const genuine: KinesisStreamEvent = { Records: [...events[0]!.Records] };
  const { sequenceNumber } = genuine.Records[0]!.kinesis;
  expect(genuine.Records).toEqual([
    {
      kinesis: {
        kinesisSchemaVersion: "1.0",
        partitionKey: "key",
        sequenceNumber: expect.stringMatching(/^\d{56}$/),
        data: Buffer.from("key:ä").toString("base64"),
        approximateArrivalTimestamp: expect.closeTo(Date.now() / 1000, -1),
      },
      eventSource: "aws:kinesis",
      eventVersion: "1.0",
      eventID: `shardId-000000000000:${sequenceNumber}`,
      eventName: "aws:kinesis:record",
      invokeIdentityArn: "arn:aws:iam::000000000000:role/local",
      awsRegion: "us-east-1",
      eventSourceARN: "arn:aws:kinesis:us-east-1:000000000000:stream/events",
    },
  ]);
});

test("batches keep their size and the shard's order, failures among them", async () => {
  await stack.createStream(streamName);
  await put(...Array.from({ length: 250 }, (_, i) => `k:${i}`));
  const sizes: number[] = [];
  const seen: string[] = [];
  let failed = false;
  const mapping = await map(async (event) => {
    sizes.push(event.Records.length);
    if (sizes.length === 2 && !failed) {
      failed = true;
      throw new Error("once");
    }
    seen.push(...textsOf(event));
  });
  await mapping.whenCaughtUp();
  expect(sizes).toEqual([100, 100, 100, 50]);
  expect(seen).toEqual(Array.from({ length: 250 }, (_, i) => `k:${i}`));
});

test("shards run side by side: one that fails for ever holds back no other", async () => {
  await stack.createStream(streamName, 2);
  await put("a:low", "b:high"); // their digests lie in different halves
  const seen = new Set<string>();
  await new Promise<void>((resolve) => {
    map(async (event) => {
      const texts = textsOf(event);
      if (texts.includes("a:low")) throw new Error("poison");
      for (const text of texts) seen.add(text);
      resolve();
    });
  });
  expect([...seen]).toEqual(["b:high"]);
});

test("the order of each key holds over resharding: parents are done before their children begin", async () => {
  await stack.createStream(streamName, 2);
  const keys = ["a", "b", "c", "d", "e", "f"];
  const counts = [4, 3, 2, 4];
  const order = new Map(keys.map((key) => [key, [] as number[]]));
  const mapping = await map(
    async (event) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      for (const text of textsOf(event)) order.get(text.split(":")[0]!)!.push(Number(text.split(":")[1]));
    },
    { batchSize: 3 },
  );
  for (let round = 0; round <= counts.length; round++) {
    for (let i = 0; i < 10; i++) await put(...keys.map((key) => `${key}:${round * 10 + i}`));
    if (round === counts.length) break;
    const scale = { TargetShardCount: counts[round]!, ScalingType: "UNIFORM_SCALING" as const };
    await stack.clients.kinesis.send(new UpdateShardCountCommand({ StreamName: streamName, ...scale }));
  }
  await mapping.whenCaughtUp();
  const all = Array.from({ length: 50 }, (_, i) => i);
  for (const key of keys) expect(order.get(key), key).toEqual(all);
});

test("from LATEST only what comes later is delivered, children read from their first record", async () => {
  await stack.createStream(streamName);
  await put("k:old");
  const seen: string[] = [];
  const mapping = await map(async (event) => void seen.push(...textsOf(event)), { startingPosition: "LATEST" });
  await mapping.whenCaughtUp();
  await put("k:new");
  await stack.clients.kinesis.send(
    new SplitShardCommand({
      StreamName: streamName,
      ShardToSplit: "shardId-000000000000",
      NewStartingHashKey: (1n << 127n).toString(),
    }),
  );
  await put("k:newer");
  await mapping.whenCaughtUp();
  expect(seen).toEqual(["k:new", "k:newer"]);
});

test("a batching window gathers records from several reads", async () => {
  await stack.createStream(streamName);
  const sizes: number[] = [];
  const mapping = await map(async (event) => void sizes.push(event.Records.length), { batchingWindowMs: 300 });
  for (let i = 0; i < 4; i++) {
    await put("k:1");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await mapping.whenCaughtUp();
  expect(sizes).toEqual([4]);
});

test("with a checkpoint file a new mapping goes on behind the last processed record", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tidemark-test-"));
  try {
    const checkpointPath = join(directory, "mapping.log");
    await stack.createStream(streamName);
    await put("k:1", "k:2", "k:3");
    const first: string[] = [];
    const one = await map(
      async (event) => {
        first.push(...textsOf(event));
        if (event.Records.length === 3) {
          return { batchItemFailures: [{ itemIdentifier: event.Records[2]!.kinesis.sequenceNumber }] };
        }
        throw new Error("down");
      },
      { checkpointPath, reportBatchItemFailures: true },
    );
    while (first.length < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    await one.stop();
    await put("k:4");
    const second: string[] = [];
    const two = await map(async (event) => void second.push(...textsOf(event)), { checkpointPath });
    await two.whenCaughtUp();
    await two.stop();
    mappings = [];
    expect(second).toEqual(["k:3", "k:4"]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("errors of polling are reported and survived", async () => {
  await stack.createStream(streamName);
  const errors: unknown[] = [];
  const seen: string[] = [];
  let broken = true;
  const { kinesis } = stack.clients;
  const send = kinesis.send.bind(kinesis);
  const flaky = Object.assign(Object.create(kinesis) as typeof kinesis, {
    send: (command: Parameters<typeof send>[0]) =>
      broken && command.constructor.name === "GetRecordsCommand" ? Promise.reject(new Error("network")) : send(command),
  });
  await put("k:1");
  const mapping = await map(async (event) => void seen.push(...textsOf(event)), {
    kinesis: flaky,
    onError: (error) => {
      errors.push(error);
      if (errors.length === 3) broken = false;
    },
  });
  await mapping.whenCaughtUp();
  expect(errors).toHaveLength(3);
  expect(seen).toEqual(["k:1"]);
});

test("stop waits for the invocation under way and begins no other", async () => {
  await stack.createStream(streamName);
  await put("k:1", "k:2");
  let ended = 0;
  let begun = 0;
  const mapping = await map(
    async () => {
      begun += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
      ended += 1;
    },
    { batchSize: 1 },
  );
  while (begun === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await mapping.stop();
  expect([begun, ended]).toEqual([1, 1]);
});
