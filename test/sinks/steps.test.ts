import { describe, expect, it } from "vitest";
import { dynamoDbSink } from "../../lib/sinks/dynamodb-sink.js";
import { foreachBatchSink } from "../../lib/sinks/foreach-batch-sink.js";
import { kinesisSink } from "../../lib/sinks/kinesis-sink.js";
import { lateBatch } from "../../lib/sinks/late-rows.js";
import { memoryRecordStream } from "../../lib/sinks/memory-record-stream.js";
import { memorySink } from "../../lib/sinks/memory-sink.js";
import { memoryTable } from "../../lib/sinks/memory-table.js";
import { s3Sink } from "../../lib/sinks/s3-sink.js";
import type { OutboxPart } from "../../lib/sinks/sink.js";
import { identityOf, outputBatch } from "../contract/sink.js";

const DAY = 86_400_000;
const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `k${n}`, views: n, eventTime: n * DAY }));
const stepsOf = (parts: readonly OutboxPart[]) => parts.filter(({ joins }) => joins !== true).length;

describe("the steps of a sink (STEPS A10, A11)", () => {
  it("s3: 500 objects each, and later chunks of a day beside the first", async () => {
    const objects = new Map<string, Uint8Array>();
    const put = async (key: string, bytes: Uint8Array) => void objects.set(key, bytes);
    const sink = s3Sink({ store: { put }, prefix: "" });
    const first = sink.stage(outputBatch(rows(1_001)));
    expect([first.length, stepsOf(first)]).toEqual([1_001, 3]);
    const second = sink.stage({ ...outputBatch(rows(2)), firstRow: 1_001 });
    await sink.publish(identityOf(7), first);
    await sink.publish(identityOf(7), second);
    expect(objects.size).toBe(1_003);
    expect(
      [...objects.keys()].filter((key) => key.includes("dt=1970-01-02/")).map((key) => key.split("/").at(-1)),
    ).toEqual(["0000-0000000000000007.jsonl.gz", "0000-0000000000000007-000000001001.jsonl.gz"]);
  });

  it("dynamodb: 500 items each, and a key in two of them ends as its last row, however they are repeated", async () => {
    const table = memoryTable(["id"]);
    const sink = dynamoDbSink({ table, key: ["id"] });
    const first = sink.stage(outputBatch(rows(1_200)));
    expect(first.map(({ firstRow = 0 }) => firstRow)).toEqual([0, 500, 1_000]);
    const second = sink.stage({ ...outputBatch([{ id: "k0", views: 99 }]), firstRow: 1_200 });
    for (const part of [...first, ...second, ...first, ...second]) await sink.publish(identityOf(7), [part]);
    const items = table.items();
    expect(items).toHaveLength(1_200);
    expect(items.find(({ id }) => (id as { S: string }).S === "k0")?.["views"]).toEqual({ N: "99" });
  });

  it("dynamodb: rows of one partition key and several sort keys are several items [TRIALS-2 E17]", async () => {
    const table = memoryTable(["id", "views"]);
    const sink = dynamoDbSink({ table, key: ["id", "views"] });
    await sink.publish(identityOf(1), sink.stage(outputBatch([1, 2, 3].map((views) => ({ id: "a", views })))));
    expect(table.items().map(({ views }) => views)).toEqual([{ N: "1" }, { N: "2" }, { N: "3" }]);
  });

  it("kinesis: one call each, and the index in the mark never starts again", async () => {
    const stream = memoryRecordStream();
    const calls: number[] = [];
    const counting = {
      putRecords: (records: Parameters<typeof stream.putRecords>[0]) => {
        calls.push(records.length);
        return stream.putRecords(records);
      },
    };
    const sink = kinesisSink({ stream: counting, key: ["id"], sleep: async () => undefined, random: () => 0 });
    const parts = [
      ...sink.stage(outputBatch(rows(1_100))),
      ...sink.stage({ ...outputBatch(rows(10)), firstRow: 1_100 }),
    ];
    for (const part of parts) await sink.publish(identityOf(1), [part]);
    expect(calls).toEqual([500, 500, 100, 10]);
    const marks = stream.records.map(({ data }) => JSON.parse(Buffer.from(data).toString()).tidemark.index);
    expect(marks).toEqual(Array.from({ length: 1_110 }, (_, n) => n));
  });

  it("foreachBatch: one call, unless its author asked for several, which then are told apart", async () => {
    const calls: unknown[] = [];
    const handler = async (given: readonly unknown[], { batchId, part }: { batchId: number; part?: number }) =>
      void calls.push([given.length, batchId, part]);
    const whole = foreachBatchSink(handler);
    expect(whole.wholeCommit).toBe(true);
    await whole.publish(identityOf(4), whole.stage(outputBatch(rows(3_000))));
    const several = foreachBatchSink(handler, { maxRowsPerCall: 1_000 });
    const parts = [
      ...several.stage(outputBatch(rows(2_500))),
      ...several.stage({ ...outputBatch(rows(1)), firstRow: 2_500 }),
    ];
    for (const part of parts) await several.publish(identityOf(4), [part]);
    expect(calls).toEqual([
      [3_000, 4, undefined],
      [1_000, 4, 0],
      [1_000, 4, 1_000],
      [500, 4, 2_000],
      [1, 4, 2_500],
    ]);
  });

  it("memory: the parts of a batch are its rows in order, each once", async () => {
    const sink = memorySink();
    const first = sink.stage(outputBatch([{ id: "a" }]));
    const second = sink.stage({ ...outputBatch([{ id: "b" }]), firstRow: 1 });
    for (const parts of [second, first, second]) await sink.publish(identityOf(1), parts);
    expect(sink.batches().map((batch) => batch.rows)).toEqual([[{ id: "a" }, { id: "b" }]]);
  });
});

it("TRIALS-2 E1: late rows of 40,000 days are one object a batch: they lie on the day on which they came", () => {
  const sink = s3Sink({ store: { put: async () => undefined }, prefix: "" });
  const late = Array.from({ length: 40_000 }, (_, n) => ({ row: { n }, eventTime: n * DAY, operator: "count" }));
  const parts = sink.stage(lateBatch(late, Date.UTC(2026, 10, 30)));
  expect(parts.map(({ dt }) => dt)).toEqual(["2026-11-30"]);
});
