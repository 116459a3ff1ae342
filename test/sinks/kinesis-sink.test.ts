import { describe, expect, it } from "vitest";
import { kinesisSink, type StreamRecord } from "../../lib/sinks/kinesis-sink.js";
import { memoryRecordStream } from "../../lib/sinks/memory-record-stream.js";
import { identityOf, outputBatch, sinkContract } from "../contract/sink.js";

const time = { sleep: async () => undefined, random: () => 0 };
const open = () => {
  const stream = memoryRecordStream();
  return { sink: kinesisSink({ stream, key: ["id"], ...time }), stream, world: () => [...stream.records] };
};
const json = ({ data }: StreamRecord) => JSON.parse(Buffer.from(data).toString());
const rows = (count: number) => Array.from({ length: count }, (_, views) => ({ id: "a", views }));

sinkContract("kinesis", { open, atLeastOnce: true });

describe("kinesisSink", () => {
  it("puts the identity and the row's index into each record, so that a reader can drop repeats", async () => {
    const { sink, stream } = open();
    const parts = sink.stage(outputBatch(rows(2)));
    await sink.publish(identityOf(4), parts);
    await sink.publish(identityOf(4), parts);
    const { query, incarnation } = identityOf(4);
    const mark = (index: number) => ({ query, incarnation, partition: 0, batchId: 4, index });
    const once = [0, 1].map((i) => ({ id: "a", eventTime: null, views: i, ratio: null, tidemark: mark(i) }));
    expect(stream.records.map(json)).toEqual([...once, ...once]);
  });

  it("gives rows of one key one partition key", async () => {
    const { sink, stream } = open();
    const some = [
      { id: "a", views: 1 },
      { id: "b", views: 1 },
      { id: "a", views: 2 },
    ];
    await sink.publish(identityOf(1), sink.stage(outputBatch(some)));
    const [first, second, third] = stream.records.map((record) => record.partitionKey);
    expect([first === third, first === second]).toEqual([true, false]);
  });

  it("finds the key of rows whose schema is open", async () => {
    const { sink, stream } = open();
    const batch = {
      ...outputBatch(["a", "b", "a"].map((id) => ({ id }))),
      schema: { fields: [], open: true } as const,
    };
    await sink.publish(identityOf(1), sink.stage(batch));
    const [first, second, third] = stream.records.map((record) => record.partitionKey);
    expect([first === third, first === second]).toEqual([true, false]);
  });

  it("puts refused records again, and only those", async () => {
    const seen = new Map<string, number>();
    const stream = memoryRecordStream((record) => {
      const { views } = json(record);
      const tries = (seen.get(views) ?? 0) + 1;
      seen.set(views, tries);
      return views % 7 === 0 && tries < 3 ? "ProvisionedThroughputExceededException" : null;
    });
    const sink = kinesisSink({ stream, key: [], ...time });
    await sink.publish(identityOf(1), sink.stage(outputBatch(rows(1200))));
    const views = stream.records.map((record) => json(record).views as number);
    expect(views.sort((a, b) => a - b)).toEqual(rows(1200).map((row) => row.views));
  });

  it("stays within 500 records and 5 MB a call", async () => {
    const calls: number[][] = [];
    const stream = {
      putRecords: async (records: readonly StreamRecord[]) => {
        calls.push([records.length, records.reduce((sum, { data }) => sum + data.byteLength, 0)]);
        return records.map(() => null);
      },
    };
    const sink = kinesisSink({ stream, key: [], ...time });
    const large = Array.from({ length: 12 }, () => ({ id: "x".repeat(900_000) }));
    await sink.publish(identityOf(1), sink.stage(outputBatch([...rows(600), ...large])));
    expect(calls.reduce((sum, [records]) => sum + (records as number), 0)).toBe(612);
    for (const [records, bytes] of calls)
      expect([(records as number) <= 500, (bytes as number) < 5e6]).toEqual([true, true]);
  });

  it("gives up after some attempts, and says that a retry helps", async () => {
    const sink = kinesisSink({ stream: memoryRecordStream(() => "InternalFailure"), key: [], ...time });
    await expect(sink.publish(identityOf(1), sink.stage(outputBatch(rows(1))))).rejects.toMatchObject({
      code: "sink-unavailable",
      retry: true,
    });
  });

  it("refuses before the commit what the stream could never take", () => {
    expect(() => open().sink.stage(outputBatch([{ id: "x".repeat(1_100_000) }]))).toThrow(/record-too-large/);
    const schema = { fields: [{ name: "tidemark", type: "string", nullable: true } as const] };
    expect(() => open().sink.stage({ ...outputBatch([{}]), schema })).toThrow(/sink-column/);
  });
});
