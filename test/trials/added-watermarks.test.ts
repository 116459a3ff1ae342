import { describe, expect, it } from "vitest";
import { columns, count, memory, readStream, string, timestamp, window } from "../../lib/index.js";
import { engine, seconds, send } from "../runtime/support/engine.js";

/** SEMANTICS I5, I2: a restarted query that adds or drops a watermark reads the same state rows as before. */

const input = readStream(memory({ name: "input", schema: columns({ t: timestamp(), id: string() }) }));
const watermarked = input.withWatermark("t", "10 seconds");
type Stream = typeof input | typeof watermarked;
const target = { queryName: "trial", outputMode: "update", sink: memory() } as const;

const perWindow = (stream: Stream) =>
  (stream as typeof watermarked).groupBy(window("t", "1 minute"), "id").agg({ n: count() }).writeStream(target)
    .definition;
const perInstant = (stream: Stream) =>
  (stream as typeof watermarked).groupBy("t", "id").agg({ n: count() }).writeStream(target).definition;
const distinct = (stream: Stream) =>
  (stream as typeof watermarked).dropDuplicates(["t", "id"]).writeStream({ ...target, outputMode: "append" })
    .definition;

describe("groups and keys that stand when a watermark is added or dropped", () => {
  it.each([
    ["windows", perWindow, [{ n: 2 }, { n: 3 }]],
    ["instants", perInstant, [{ n: 2 }, { n: 3 }]],
    ["duplicates", distinct, [{ id: "a" }]],
  ])("go on: %s", async (_what, query, results) => {
    for (const [before, after] of [
      [input, watermarked],
      [watermarked, input],
    ] as const) {
      const e = engine(query(before));
      const rows = [1, 1].map((at) => ({ t: seconds(at), id: "a" }));
      await (await e.start()).processBatch([send(1, rows)]);
      await (await e.start(query(after))).processBatch([send(3, rows.slice(1))]);
      expect(e.sink.rows()).toMatchObject(results);
      expect(e.sink.rows()).toHaveLength(results.length);
    }
  });

  it.each([
    ["windows", perWindow],
    ["instants", perInstant],
    ["duplicates", distinct],
  ])("leave with the watermark that was added: %s", async (_what, query) => {
    const e = engine(query(input));
    await (await e.start()).processBatch([send(1, [{ t: seconds(1), id: "a" }])]);
    await (await e.start(query(watermarked))).processBatch([send(2, [{ t: seconds(300), id: "b" }])]);
    expect(e.progress.at(-1)!.stateOperators).toMatchObject([{ numRowsTotal: 1 }]);
  });
});
