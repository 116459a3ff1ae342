import { expect, test } from "vitest";
import { createBatchBuffer } from "../../../lib/local/event-source-mapping/batch-buffer.js";
import { sequenceOf } from "../../../lib/local/event-source-mapping/event-record.js";
import { deliveredRecords } from "./delivered-records.js";

const limits = { batchSize: 3, batchingWindowMs: 1000, payloadBytes: 6_000_000 };

test("a batch is due at its size", () => {
  const buffer = createBatchBuffer(limits);
  buffer.add(deliveredRecords(7), 0);
  expect(buffer.take(0, false)?.map(sequenceOf)).toEqual(["1", "2", "3"]);
  expect(buffer.take(0, false)?.map(sequenceOf)).toEqual(["4", "5", "6"]);
  expect(buffer.take(0, false)).toBeNull();
  expect(buffer.length).toBe(1);
});

test("a batch is due at the end of the window of its oldest record", () => {
  const buffer = createBatchBuffer(limits);
  expect(buffer.remaining(0)).toBe(Number.POSITIVE_INFINITY);
  const [first, second] = deliveredRecords(2);
  buffer.add([first!], 0);
  buffer.add([second!], 900);
  expect(buffer.take(999, false)).toBeNull();
  expect(buffer.remaining(999)).toBe(1);
  expect(buffer.take(1000, false)).toHaveLength(2);
});

test("a batch's JSON never passes the payload bound, and is filled up to it", () => {
  const records = deliveredRecords(10, 1000);
  const bytesOf = (count: number) => Buffer.byteLength(JSON.stringify({ Records: records.slice(0, count) }));
  for (const payloadBytes of [bytesOf(4), bytesOf(5) - 1]) {
    const buffer = createBatchBuffer({ batchSize: 100, batchingWindowMs: 1000, payloadBytes });
    buffer.add(records, 0);
    const batch = buffer.take(0, false)!;
    expect(batch).toHaveLength(4);
  }
});

test("a record larger than the bound goes alone", () => {
  const buffer = createBatchBuffer({ ...limits, payloadBytes: 100 });
  buffer.add(deliveredRecords(2, 1000), 0);
  expect(buffer.take(0, false)).toHaveLength(1);
});

test("a flush takes what there is, and nothing where there is nothing", () => {
  const buffer = createBatchBuffer(limits);
  expect(buffer.take(0, true)).toBeNull();
  buffer.add(deliveredRecords(1), 0);
  expect(buffer.take(0, true)).toHaveLength(1);
});
