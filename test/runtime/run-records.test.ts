import { describe, expect, it } from "vitest";
import { count, sum, userAggregate } from "../../lib/api/aggregates.js";
import { columns, long, timestamp } from "../../lib/api/columns.js";
import { memory } from "../../lib/api/descriptors.js";
import { readStream } from "../../lib/api/read-stream.js";
import { window } from "../../lib/api/window-functions.js";
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

describe("user code that changes what it is given", () => {
  const changed = <R extends object>(given: R): R => {
    const own = given as { n: unknown };
    if (Number(own.n) < 0) throw new Error("negative");
    own.n = Number(own.n) + 1;
    return given;
  };
  const options = { onError: "malformed" } as const;
  const target = { queryName: "changing", outputMode: "append", sink: memory(), options } as const;
  const rowsOf = (e: ReturnType<typeof engine>) => e.sink.rows().map(({ n }) => n);

  it.each([
    ["map", () => input.map((given) => changed(given), { columns: columns({ t: timestamp(), n: long() }) }), [2, 6]],
    ["filter", () => input.filter((given) => changed(given) === given), [1, 5]],
    [
      "flatMap",
      () => input.flatMap((given) => [changed(given)], { columns: columns({ t: timestamp(), n: long() }) }),
      [2, 6],
    ],
  ])("does it once, though the run is repeated: %s", async (_verb, stream, expected) => {
    const e = engine((stream() as typeof input).writeStream(target).definition);
    await (await e.start()).processBatch([send(1, [row(1, 1), row(2, -1), row(3, 5)])]);
    expect(rowsOf(e)).toEqual(expected);
    expect(e.sink.rows("malformed")).toHaveLength(1);
  });

  it("does it once, though a race is lost", async () => {
    const e = engine(
      input
        .map((given) => changed(given), { columns: columns({ t: timestamp(), n: long() }) })
        .writeStream({ ...target, options: {} }).definition,
      { generation: 1 },
    );
    const [winner, loser] = [await e.start(), await e.start()];
    await loser.processBatch([send(1, [row(1, 1)], { shard: "a" })]);
    await winner.processBatch([send(1, [row(1, 3)], { shard: "b" })]);
    await loser.processBatch([send(2, [row(2, 7)], { shard: "a" })]);
    expect(e.progress.at(-1)).toMatchObject({ conflicts: 1 });
    expect(rowsOf(e)).toEqual([2, 4, 8]);
  });

  it("leaves the state of a group as it was", async () => {
    const counted = userAggregate("n", {
      init: () => [] as number[],
      add: (seen: number[], n: number | bigint | null) => [...seen, Number(n)],
      merge: (a: number[], b: number[]) => [...a, ...b],
      finish: (seen: number[]) => seen.splice(0).length,
    });
    const query = input.groupBy().agg({ n: counted, rows: count() });
    const e = engine(query.writeStream({ queryName: "last", outputMode: "complete", sink: memory() }).definition);
    const running = await e.start();
    for (const at of [1, 2, 3]) await running.processBatch([send(at, [row(at, at)])]);
    await running.processBatch([send(4, [])]);
    expect(e.sink.rows().map(({ n }) => n)).toEqual([1, 2, 3]);
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
