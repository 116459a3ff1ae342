import { expect, it } from "vitest";
import { describeShard, firstAfter, type Shard, shardId } from "../../../lib/local/kinesis-emulator/shard.js";

const record = (SequenceNumber: string) => ({
  SequenceNumber,
  ApproximateArrivalTimestamp: 0,
  PartitionKey: "k",
  Data: "",
});
const shard: Shard = {
  id: shardId(2),
  number: 2,
  low: "0".repeat(32),
  high: "f".repeat(32),
  parents: [shardId(0), shardId(1)],
  firstSequence: "5",
  records: ["9", "10", "100"].map(record),
};

it("finds the first record above a number, by value and not by text", () => {
  expect(["0", "9", "10", "99", "100"].map((sequence) => firstAfter(shard, sequence))).toEqual([0, 1, 2, 2, 3]);
});

it("is described with both parents, decimal hash keys, and an end once it is closed", () => {
  expect(describeShard(shard)).toMatchObject({
    ShardId: "shardId-000000000002",
    ParentShardId: "shardId-000000000000",
    AdjacentParentShardId: "shardId-000000000001",
    HashKeyRange: { StartingHashKey: "0", EndingHashKey: String(2n ** 128n - 1n) },
    SequenceNumberRange: { StartingSequenceNumber: "5" },
  });
  expect(describeShard({ ...shard, lastSequence: "100" }).SequenceNumberRange).toHaveProperty(
    "EndingSequenceNumber",
    "100",
  );
});
