import { describe, expect, it } from "vitest";
import { kinesisDeliveries } from "../../lib/sources/kinesis-event.js";
import { eventOf, newStream, type SimRecord, wholeRecords } from "./stream.js";

const row = (id: number): SimRecord["content"] => ({ row: { id, t: id, k: "a" } });

/** One plain record, an aggregate of three, one without any, one plain. */
const shardWithAggregates = () => {
  const stream = newStream(["a", "b"], 1, () => 7);
  const [shard] = stream.shards;
  stream.put(shard!, row(1), 7, 1);
  stream.putAggregate(shard!, [row(2), { malformed: "{" }, row(3)], 7, 1);
  stream.putAggregate(shard!, [], 7, 1);
  stream.put(shard!, row(4), 7, 1);
  return { stream, shard: shard! };
};

describe("a simulated stream", () => {
  it("hands over the very user records that were put", () => {
    const { shard } = shardWithAggregates();
    const [delivery] = kinesisDeliveries(eventOf(shard.records), (name) => name);
    const placesOf = (records: readonly Pick<SimRecord, "sequence" | "sub">[]) =>
      records.map(({ sequence, sub }) => `${sequence}.${sub}`);
    expect(placesOf(delivery!.records)).toEqual(placesOf(shard.records));
    expect(placesOf(shard.records)).toEqual(["961.0", "962.0", "962.1", "962.2", "963.0", "964.0"]);
  });

  it("delivers aggregates whole", () => {
    const { records } = shardWithAggregates().shard;
    const cut = (first: number, end: number) =>
      wholeRecords(records, first, end).map((record) => records.indexOf(record));
    expect(cut(0, 1)).toEqual([0]);
    expect(cut(0, 2)).toEqual([0, 1, 2, 3]);
    expect(cut(2, 3)).toEqual([1, 2, 3]);
    expect(cut(3, 99)).toEqual([1, 2, 3, 4, 5]);
  });

  it("gives the shards of every stream the same names and numbers of their own", () => {
    const { stream } = shardWithAggregates();
    const [a, b] = stream.shards;
    stream.put(b!, row(5), 7, 1);
    expect(b!.name).toBe(a!.name);
    expect(b!.records[0]!.sequence).toBe(a!.records[0]!.sequence);
    expect(stream.listed("b", new Set())).toHaveLength(1);
  });
});
