import { DescribeStreamSummaryCommand, PutRecordCommand, SplitShardCommand } from "@aws-sdk/client-kinesis";
import { expect, it } from "vitest";
import { type Stack, startStack } from "../../lib/local/stack.js";
import { kinesisShardLister } from "../../lib/sources/kinesis-shard-lister.js";
import { shardListerContract } from "../contract/shard-lister.js";
import { aggregate } from "./kpl-aggregate.js";

const StreamName = "views";
let stack: Stack;

it("C13: a stream of another account is asked for by its ARN", async () => {
  const arn = "arn:aws:kinesis:eu-central-1:999999999999:stream/views";
  const sent: object[] = [];
  const client = {
    send: async (command: { readonly input: object }) => {
      sent.push(command.input);
      return { Shards: [], ShardIterator: undefined };
    },
  };
  const lister = kinesisShardLister(client as never, arn, () => 0);
  await lister.listShards();
  await lister.probe("shardId-000000000000", null);
  await lister.probe("shardId-000000000000", { sequence: "1", sub: 0 });
  expect(sent).toEqual([
    { StreamARN: arn },
    { StreamARN: arn, ShardId: "shardId-000000000000", ShardIteratorType: "TRIM_HORIZON" },
    {
      StreamARN: arn,
      ShardId: "shardId-000000000000",
      ShardIteratorType: "AT_SEQUENCE_NUMBER",
      StartingSequenceNumber: "1",
    },
  ]);
});

shardListerContract("Kinesis", {
  start: async () => {
    stack = await startStack();
    await stack.createStream(StreamName);
    return kinesisShardLister(stack.clients.kinesis, StreamName, () => Date.now());
  },
  put: async (users = 1) => {
    const data = Array.from({ length: users }, () => ({ partitionKey: "1", data: new Uint8Array([1]) }));
    const Data = users === 1 ? data[0]!.data : aggregate(data);
    const put = new PutRecordCommand({ StreamName, PartitionKey: "1", Data });
    return (await stack.clients.kinesis.send(put)).SequenceNumber!;
  },
  split: async () => {
    const { kinesis } = stack.clients;
    const NewStartingHashKey = String(2n ** 127n);
    await kinesis.send(new SplitShardCommand({ StreamName, ShardToSplit: "shardId-000000000000", NewStartingHashKey }));
    const summary = new DescribeStreamSummaryCommand({ StreamName });
    for (let look = 0; look < 100; look++) {
      if ((await kinesis.send(summary)).StreamDescriptionSummary?.StreamStatus === "ACTIVE") return;
    }
  },
  stop: () => stack.stop(),
});
