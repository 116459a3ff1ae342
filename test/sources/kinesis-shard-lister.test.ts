import { DescribeStreamSummaryCommand, PutRecordCommand, SplitShardCommand } from "@aws-sdk/client-kinesis";
import { type Stack, startStack } from "../../lib/local/stack.js";
import { kinesisShardLister } from "../../lib/sources/kinesis-shard-lister.js";
import { shardListerContract } from "../contract/shard-lister.js";
import { aggregate } from "./kpl-aggregate.js";

const StreamName = "views";
let stack: Stack;

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
