import { describe, expect, it } from "vitest";
import { count } from "../../lib/api/aggregates.js";
import { columns, timestamp } from "../../lib/api/columns.js";
import { memory } from "../../lib/api/descriptors.js";
import { readStream } from "../../lib/api/read-stream.js";
import { window } from "../../lib/api/window-functions.js";
import { engine, send } from "./support/engine.js";

const query = readStream(memory({ name: "input", schema: columns({ eventTime: timestamp() }) }))
  .withWatermark("eventTime", "10 minutes")
  .groupBy(window("eventTime", "5 minutes"))
  .agg({ views: count() })
  .writeStream({ queryName: "views", outputMode: "append", sink: memory() });

const time = (text: string) => `2024-03-01T${text}:00Z`;
const at = (text: string) => Date.parse(time(text));
const rows = (...times: string[]) => times.map((text) => ({ eventTime: time(text) }));

describe("a streaming query", () => {
  it.each([null, 0, 1, 2])("answers the worked example, with a restart before batch %s", async (restart) => {
    const e = engine(query.definition);
    let running = await e.start();
    const batches = [rows("12:01", "12:07"), rows("12:16", "12:03"), rows("12:02")];
    for (const [index, batch] of batches.entries()) {
      if (index === restart) running = await e.start();
      await running.processBatch([send(1 + index * 2, batch)]);
      expect(e.sink.rows()).toHaveLength(index === 0 ? 0 : 1);
    }
    expect(e.sink.rows()).toEqual([{ window: { start: at("12:00"), end: at("12:05") }, views: 2 }]);
    expect(e.sink.rows("late")).toMatchObject([
      {
        eventTime: at("12:02"),
        watermark: at("12:06"),
        lateByMs: 4 * 60_000,
        source: { stream: "stream", shard: "shard-0", sequence: "5", sub: 0 },
        missedWindows: [{ start: at("12:00"), end: at("12:05") }],
        reason: "late",
      },
    ]);
    const last = e.progress.at(-1)!;
    expect(last.stateOperators[0]!.numRowsDroppedByWatermark).toBe(1);
    expect(last).toMatchObject({ batchId: 3, numLateInputRows: 1, numInputRows: 1 });
    const recent = await running.recentProgress();
    expect(recent.map(({ batchId }) => batchId)).toEqual([1, 2, 3]);
  });

  it("counts a row 8 minutes past its window and routes one 12 minutes past", async () => {
    const e = engine(query.definition);
    const running = await e.start();
    await running.processBatch([send(1, rows("10:13"))]);
    await running.processBatch([send(2, rows("10:02"))]);
    await running.processBatch([send(3, rows("10:17"))]);
    await running.processBatch([send(4, rows("10:03"))]);
    expect(e.sink.rows()).toEqual([{ window: { start: at("10:00"), end: at("10:05") }, views: 1 }]);
    expect(e.sink.rows("late")).toMatchObject([{ eventTime: at("10:03") }]);
  });

  it("reports a micro-batch in Spark's field names", async () => {
    const e = engine(query.definition);
    const running = await e.start();
    await running.processBatch([send(1, rows("12:01", "12:16"))]);
    expect(running.lastProgress()).toMatchObject({
      name: "views",
      batchId: 1,
      numInputRows: 2,
      eventTime: {
        max: "2024-03-01T12:16:00.000Z",
        min: "2024-03-01T12:01:00.000Z",
        watermark: "2024-03-01T12:06:00.000Z",
      },
      stateOperators: [{ operatorName: "stateStoreSave", numRowsTotal: 1, numRowsUpdated: 2, numRowsRemoved: 1 }],
      sources: [{ description: "input", startOffset: {}, endOffset: { "input/shard-0": "2" }, numInputRows: 2 }],
      sink: { description: "memory", numOutputRows: 1 },
      coldStart: true,
      conflicts: 0,
    });
  });

  it("loses nothing and repeats nothing between two environments that race", async () => {
    const e = engine(query.definition, { generation: 1 });
    const [first, second] = [await e.start(), await e.start()];
    await first.processBatch([send(1, rows("12:01"), { shard: "a" })]);
    await second.processBatch([send(1, rows("12:02"), { shard: "b" })]);
    await Promise.all([
      first.processBatch([send(2, rows("12:03"), { shard: "a" })]),
      second.processBatch([send(2, rows("12:04"), { shard: "b" })]),
    ]);
    await first.processBatch([send(3, rows("12:16"), { shard: "a" })]);
    expect(e.sink.rows()).toMatchObject([{ views: 4 }]);
    expect(e.progress.some(({ conflicts }) => conflicts > 0)).toBe(true);
  });
});
