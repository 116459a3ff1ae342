import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type KinesisEvent, type KinesisEventRecord, kinesisDeliveries } from "../../lib/sources/kinesis-event.js";
import { aggregate } from "./kpl-aggregate.js";

const record = (shard: number, sequence: string, data: string, arrival = 1545084650.987): KinesisEventRecord => ({
  eventID: `shardId-00000000000${shard}:${sequence}`,
  eventSourceARN: "arn:aws:kinesis:eu-central-1:123456789012:stream/page-views",
  kinesis: { sequenceNumber: sequence, partitionKey: "k", data, approximateArrivalTimestamp: arrival },
});
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString("base64");
const sourceOf = (stream: string) => (stream === "page-views" ? "views" : undefined);
const text = (data: Uint8Array) => Buffer.from(data).toString();

describe("kinesisDeliveries", () => {
  it("TRIALS-2 C12: takes an emulator's milliseconds for what they are", () => {
    const event = {
      Records: [record(0, "1", base64("a"), 1671562498449.0), record(0, "2", base64("b"), 1671562498.45)],
    };
    expect(kinesisDeliveries(event, sourceOf)[0]?.records.map(({ arrival }) => arrival)).toEqual([
      1671562498449, 1671562498450,
    ]);
  });

  it("makes one delivery per shard with arrivals in milliseconds", () => {
    const event = {
      Records: [record(0, "10", base64("a")), record(1, "7", base64("b")), record(0, "11", base64("c"), 2)],
    };
    const deliveries = kinesisDeliveries(event, sourceOf);
    expect(deliveries.map(({ source, stream, shard }) => [source, stream, shard])).toEqual([
      ["views", "page-views", "shardId-000000000000"],
      ["views", "page-views", "shardId-000000000001"],
    ]);
    expect(deliveries[0]?.records.map((r) => [r.sequence, r.sub, text(r.data), r.arrival, r.partitionKey])).toEqual([
      ["10", 0, "a", 1545084650987, "k"],
      ["11", 0, "c", 2000, "k"],
    ]);
  });

  it("numbers the user records of an aggregate, beside plain ones", () => {
    const packed = aggregate(["t1", "t2", "t3"].map((t) => ({ partitionKey: `key-${t}`, data: Buffer.from(t) })));
    const event = { Records: [record(0, "10", base64(packed)), record(0, "11", base64("t4"))] };
    expect(
      kinesisDeliveries(event, sourceOf)[0]?.records.map((r) => [r.sequence, r.sub, text(r.data), r.partitionKey]),
    ).toEqual([
      ["10", 0, "t1", "key-t1"],
      ["10", 1, "t2", "key-t2"],
      ["10", 2, "t3", "key-t3"],
      ["11", 0, "t4", "k"],
    ]);
  });

  it("delivers an aggregate with a wrong digest as one plain record", () => {
    const packed = aggregate([{ partitionKey: "a", data: Buffer.from("x") }]);
    packed[packed.length - 1] = (packed.at(-1) as number) ^ 1;
    const records = kinesisDeliveries({ Records: [record(0, "10", base64(packed))] }, sourceOf)[0]?.records;
    expect(records?.map((r) => [r.sequence, r.sub, text(r.data)])).toEqual([["10", 0, text(packed)]]);
  });

  it("delivers an aggregate without records as one plain record, so that it is not lost from the books", () => {
    const records = kinesisDeliveries({ Records: [record(0, "10", base64(aggregate([])))] }, sourceOf)[0]?.records;
    expect(records?.map((r) => [r.sequence, r.sub, text(r.data)])).toEqual([["10", 0, text(aggregate([]))]]);
  });

  it("refuses events that are not Kinesis's and streams that the query does not read", () => {
    for (const event of [null, {}, { Records: [{}] }, { Records: [{ ...record(0, "1", ""), eventID: "1" }] }]) {
      expect(() => kinesisDeliveries(event as unknown as KinesisEvent, sourceOf)).toThrow(/not-a-kinesis-event/);
    }
    expect(() => kinesisDeliveries({ Records: [record(0, "1", "")] }, () => undefined)).toThrow(/unknown-stream/);
  });

  it("delivers every record exactly once, whatever stands where base64 should", () => {
    const any = fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(fc.array(any), (payloads) => {
        const event = { Records: payloads.map((data, i) => record(0, String(i), data)) };
        const sequences = kinesisDeliveries(event, sourceOf).flatMap((d) => d.records.map((r) => r.sequence));
        expect(sequences).toEqual(payloads.map((_, i) => String(i)));
      }),
    );
  });
});
