import { describe, expect, it } from "vitest";
import { count, sum, userAggregate } from "../../lib/api/aggregates.js";
import { columns, long, timestamp } from "../../lib/api/columns.js";
import { memory } from "../../lib/api/descriptors.js";
import { readStream } from "../../lib/api/read-stream.js";
import { window } from "../../lib/api/window.js";
import type { RunOptions } from "../../lib/api/write-stream.js";
import { engine, seconds, send } from "./support/engine.js";

const input = readStream(memory({ name: "input", schema: columns({ t: timestamp(), n: long() }) }));

/** Rows whose `n` is negative make the function throw; `calls` counts its calls. */
const guarded = (options: RunOptions, calls = { made: 0 }, slow = { throwing: () => {} }) =>
  input
    .withWatermark("t", "10 seconds")
    .filter((row) => {
      calls.made++;
      if (Number(row.n) >= 0) return true;
      slow.throwing();
      throw new Error("negative");
    })
    .groupBy(window("t", "10 seconds"))
    .agg({ rows: count(), total: sum("n") })
    .writeStream({ queryName: "guarded", outputMode: "append", sink: memory(), options }).definition;

const row = (t: number, n: number) => ({ t: seconds(t), n });
const first = { window: { start: 0, end: 10_000 } };

describe("a row function that throws", () => {
  it("on every other record costs a few passes, not one per record", async () => {
    const calls = { made: 0 };
    const e = engine(guarded({ onError: "malformed" }, calls));
    const query = await e.start();
    const rows = Array.from({ length: 3_000 }, (_, at) => row(1, at % 2 === 0 ? 1 : -1));
    const { unprocessed } = await query.processBatch([send(1, [...rows, row(60, 1)])]);
    expect(unprocessed).toEqual([]);
    expect(e.sink.rows()).toEqual([{ ...first, rows: 1_500, total: 1_500 }]);
    expect(e.sink.rows("malformed")).toHaveLength(1_500);
    expect(calls.made).toBeLessThan(4 * rows.length);
  });

  it("on the first record commits nothing and reports it", async () => {
    const e = engine(guarded({ onError: "fail" }));
    const query = await e.start();
    const { unprocessed, progress } = await query.processBatch([send(7, [row(1, -1), row(2, 1)])]);
    expect(unprocessed).toMatchObject([{ sequence: "7" }]);
    expect(progress).toBeNull();
    expect(e.progress).toEqual([]);
  });

  it("stops at its record when no time is left to send it to the malformed output", async () => {
    const slow = { throwing: () => {} };
    const e = engine(guarded({ onError: "malformed" }, { made: 0 }, slow));
    slow.throwing = () => {
      e.clock.time = 1_000_000 + 8_000;
    };
    const query = await e.start();
    const deadline = { at: e.clock.time + 10_000, reserveMs: 5_000 };
    const outcome = await query.processBatch([send(1, [row(1, 1), row(2, -1), row(3, 1)])], deadline);
    expect(outcome.unprocessed).toMatchObject([{ sequence: "2" }]);
    expect(outcome.progress).toMatchObject({ deliveredRecords: 1, malformedRows: 0 });
  });
});

describe("a user-defined aggregate that throws", () => {
  const strict = userAggregate("n", {
    init: () => 0,
    add: (total: number, n: number | bigint | null) => {
      if (Number(n) < 0) throw new Error("negative");
      return total + Number(n);
    },
    merge: (a: number, b: number) => a + b,
    finish: (total: number) => total,
  });
  const query = input
    .withWatermark("t", "10 seconds")
    .groupBy(window("t", "10 seconds"))
    .agg({ rows: count(), total: strict })
    .writeStream({ queryName: "strict", outputMode: "append", sink: memory(), options: { onError: "malformed" } });

  it("leaves no half of its record in the state", async () => {
    const e = engine(query.definition);
    const running = await e.start();
    await running.processBatch([send(1, [row(1, 1), row(2, -1), row(3, 2), row(4, -1), row(60, 1)])]);
    expect(e.sink.rows()).toMatchObject([{ ...first, rows: 2, total: 3 }]);
    expect(e.sink.rows("malformed").map(({ source }) => source)).toMatchObject([{ sequence: "2" }, { sequence: "4" }]);
  });
});

describe("a drained query", () => {
  it("still tells what it has seen from a re-created stream's records", async () => {
    const e = engine(guarded({}));
    const query = await e.start();
    await query.processBatch([send(1, [row(1, 1)], { arrival: 1_000 })]);
    await query.drain();
    const afterwards = send(2, [row(2, 1)], { arrival: 601_000 });
    await query.processBatch([afterwards]);
    expect(await query.processBatch([afterwards])).toMatchObject({ progress: null, unprocessed: [] });
    expect(e.sink.rows("late")).toHaveLength(1);
    const another = send(2, [row(2, 1)], { arrival: 661_001 });
    await expect(query.processBatch([another])).rejects.toThrow("source-recreated");
  });
});
