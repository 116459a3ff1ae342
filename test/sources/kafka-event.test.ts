import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isKafkaEvent,
  type KafkaEvent,
  type KafkaEventRecord,
  kafkaDeliveries,
} from "../../lib/sources/kafka-event.js";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const record = (partition: number, offset: number, value: string | null): KafkaEventRecord => ({
  topic: "orders",
  partition,
  offset,
  timestamp: 1545084650987,
  key: "a2V5",
  value,
});
const event = (eventSource: string, ...records: KafkaEventRecord[]): KafkaEvent => ({
  eventSource,
  records: Object.fromEntries(
    [...new Set(records.map((r) => r.partition))].map((p) => [`orders-${p}`, records.filter((r) => r.partition === p)]),
  ),
});
const sourceOf = (topic: string) => (topic === "orders" ? "orders" : undefined);

describe("kafkaDeliveries", () => {
  it.each(["aws:kafka", "SelfManagedKafka"])("makes one delivery per partition of an event of %s", (eventSource) => {
    const records = [record(0, 15, base64("a")), record(3, 7, base64("b")), record(0, 17, base64("c"))];
    const deliveries = kafkaDeliveries(event(eventSource, ...records), sourceOf);
    const shown = deliveries.map(({ source, stream, shard, records: delivered }) => [
      source,
      stream,
      shard,
      ...delivered.map((r) => [r.sequence, r.sub, Buffer.from(r.data).toString(), r.arrival, r.partitionKey]),
    ]);
    expect(shown).toEqual([
      ["orders", "orders", "0", ["15", 0, "a", 1545084650987, "a2V5"], ["17", 0, "c", 1545084650987, "a2V5"]],
      ["orders", "orders", "3", ["7", 0, "b", 1545084650987, "a2V5"]],
    ]);
  });

  it("delivers tombstones as empty payloads and broken base64 as its text", () => {
    const records = kafkaDeliveries(event("aws:kafka", record(0, 1, null), record(0, 2, "{}")), sourceOf)[0]?.records;
    expect(records?.map(({ data }) => Buffer.from(data).toString())).toEqual(["", "{}"]);
  });

  it("refuses other events and topics that the query does not read", () => {
    const broken = { eventSource: "aws:kafka", records: { "orders-0": [{ topic: "orders" }] } };
    for (const bad of [{}, null, { eventSource: "aws:kafka" }, broken]) {
      expect(() => kafkaDeliveries(bad as unknown as KafkaEvent, sourceOf)).toThrow(/not-a-kafka-event/);
    }
    expect(() => kafkaDeliveries(event("aws:kafka", record(0, 1, null)), () => undefined)).toThrow(/unknown-topic/);
    expect(isKafkaEvent({ Records: [] })).toBe(false);
  });

  it("delivers every record once, whatever its value", () => {
    const values = fc.array(fc.option(fc.oneof(fc.string(), fc.base64String())));
    fc.assert(
      fc.property(values, (all) => {
        const records = all.map((value, offset) => record(0, offset, value));
        const delivered = kafkaDeliveries(event("aws:kafka", ...records), sourceOf).flatMap((d) => d.records);
        expect(delivered.map(({ sequence }) => sequence)).toEqual(all.map((_, offset) => String(offset)));
      }),
    );
  });
});
