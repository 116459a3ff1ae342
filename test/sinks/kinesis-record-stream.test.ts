import {
  CreateStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ListShardsCommand,
  waitUntilStreamExists,
} from "@aws-sdk/client-kinesis";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startKinesisEmulator } from "../../lib/local/kinesis-emulator/kinesis-emulator.js";
import type { LoopbackServer } from "../../lib/local/loopback-server.js";
import { kinesisRecordStream } from "../../lib/sinks/kinesis-record-stream.js";

const StreamName = "results";
let server: LoopbackServer;
let client: KinesisClient;

beforeAll(async () => {
  server = await startKinesisEmulator();
  client = new KinesisClient({
    endpoint: server.endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    requestHandler: new NodeHttpHandler(),
  });
  await client.send(new CreateStreamCommand({ StreamName, ShardCount: 1 }));
  await waitUntilStreamExists({ client, maxWaitTime: 10, minDelay: 0.05, maxDelay: 0.1 }, { StreamName });
});
afterAll(async () => {
  client.destroy();
  await server.stop();
});

const stored = async (): Promise<readonly string[]> => {
  const { Shards } = await client.send(new ListShardsCommand({ StreamName }));
  const { ShardIterator } = await client.send(
    new GetShardIteratorCommand({ StreamName, ShardId: Shards?.[0]?.ShardId, ShardIteratorType: "TRIM_HORIZON" }),
  );
  const { Records } = await client.send(new GetRecordsCommand({ ShardIterator }));
  return (Records ?? []).map(({ Data }) => Buffer.from(Data ?? []).toString());
};

describe("kinesisRecordStream", () => {
  it("stores records in order and answers null for each", async () => {
    const records = ["a", "b"].map((text) => ({ partitionKey: "k", data: Buffer.from(text) }));
    expect(await kinesisRecordStream(client, StreamName).putRecords(records)).toEqual([null, null]);
    expect(await stored()).toEqual(["a", "b"]);
  });

  it("answers the error code of each record that was refused, and never takes silence for success", async () => {
    const answers = (Records: unknown) => ({ send: async () => ({ Records }) }) as unknown as KinesisClient;
    const records = ["a", "b"].map((text) => ({ partitionKey: "k", data: Buffer.from(text) }));
    const mixed = answers([{ SequenceNumber: "1" }, { ErrorCode: "ProvisionedThroughputExceededException" }]);
    expect(await kinesisRecordStream(mixed, StreamName).putRecords(records)).toEqual([
      null,
      "ProvisionedThroughputExceededException",
    ]);
    expect(await kinesisRecordStream(answers(undefined), StreamName).putRecords(records)).toEqual([
      "NoAnswer",
      "NoAnswer",
    ]);
  });
});
