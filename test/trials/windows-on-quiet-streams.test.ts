import { describe, expect, it } from "vitest";
import { count } from "../../lib/api/aggregates.js";
import { columns, timestamp } from "../../lib/api/columns.js";
import { memory } from "../../lib/api/descriptors.js";
import { readStream } from "../../lib/api/read-stream.js";
import { window } from "../../lib/api/window.js";
import type { RunOptions } from "../../lib/api/write-stream.js";
import { engine, seconds, send } from "../runtime/support/engine.js";

/** TRIALS.md B29, B30, B32. Times are seconds. */

const minutes = (options: RunOptions = {}) =>
  readStream(memory({ name: "input", schema: columns({ t: timestamp() }), across: "auto" }))
    .withWatermark("t", "0 seconds")
    .groupBy(window("t", "60 seconds"))
    .agg({ n: count() })
    .writeStream({ queryName: "trial", outputMode: "append", sink: memory(), options }).definition;

const rows = (...times: number[]) => times.map((t) => ({ t: seconds(t) }));
const firstMinute = (n: number) => ({ window: { start: 0, end: 60_000 }, n });

describe("B29: rows replayed a week later", () => {
  it("fall into the windows of their own time", async () => {
    const e = engine(minutes());
    const query = await e.start();
    e.clock.time = Date.parse("2024-03-08T00:00:00Z");
    const lastWeek = Date.parse("2024-03-01T00:00:00Z") / 1000;
    await query.processBatch([send(1, rows(lastWeek, lastWeek + 30, lastWeek + 90), { arrival: e.clock.time })]);
    const start = lastWeek * 1000;
    expect(e.sink.rows()).toEqual([{ window: { start, end: start + 60_000 }, n: 2 }]);
  });
});

describe("B30: the last window of a quiet stream", () => {
  const quiet = async (options: RunOptions) => {
    const e = engine(minutes(options), { listed: ["input"] });
    e.lister.shards = [{ shard: "shard-0", parents: [], sequences: ["1", "2"] }];
    const query = await e.start();
    await query.processBatch([send(1, rows(10, 59), { arrival: e.clock.time })]);
    for (let minute = 0; minute < 5; minute++) {
      e.clock.time += 60_000;
      await query.tick();
    }
    return { e, query };
  };

  it("stays open by default, as in Spark", async () => {
    const { e } = await quiet({});
    expect(e.sink.rows()).toEqual([]);
    expect(e.progress).toHaveLength(1);
  });

  it("closes once with closeOnIdle, and a row that comes after is late", async () => {
    const { e, query } = await quiet({ closeOnIdle: "120 seconds" });
    expect(e.sink.rows()).toEqual([firstMinute(2)]);
    await query.processBatch([send(3, rows(30), { arrival: e.clock.time })]);
    expect(e.sink.rows()).toEqual([firstMinute(2)]);
    expect(e.sink.rows("late")).toHaveLength(1);
  });
});

describe("B32: a drain", () => {
  it("emits what is open once; rows after it are late with reason `drained`, also after a restart", async () => {
    const e = engine(minutes());
    let query = await e.start();
    await query.processBatch([send(1, rows(10, 59))]);
    await query.drain();
    await query.drain();
    expect(e.sink.rows()).toEqual([firstMinute(2)]);
    query = await e.start();
    await query.processBatch([send(3, rows(70))]);
    expect(e.sink.rows()).toEqual([firstMinute(2)]);
    expect(e.sink.rows("late")).toMatchObject([{ reason: "drained", source: { sequence: "3" } }]);
    expect(e.progress.at(-1)).toMatchObject({ drainedRows: 1 });
  });
});
