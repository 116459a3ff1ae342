import { describe, expect, it } from "vitest";
import { count } from "../../lib/api/aggregates.js";
import { columns, long, timestamp } from "../../lib/api/columns.js";
import { memory } from "../../lib/api/descriptors.js";
import { readStream } from "../../lib/api/read-stream.js";
import { window } from "../../lib/api/window-functions.js";
import type { RunOptions } from "../../lib/api/write-stream.js";
import type { SourceWatermarkOptions } from "../../lib/plan/connectors/source-connector.js";
import type { MemoryShard } from "../../lib/sources/memory-shard-lister.js";
import { engine, seconds, send } from "../runtime/support/engine.js";

/** TRIALS.md section A: watermarks that stall, are poisoned or go back. Times are seconds. */

interface Counted extends SourceWatermarkOptions {
  readonly delay: number;
  readonly size: number;
  readonly options?: RunOptions;
}

const counted = ({ delay, size, options, ...source }: Counted) =>
  readStream(memory({ name: "input", schema: columns({ t: timestamp() }), ...source }))
    .withWatermark("t", `${delay} seconds`)
    .groupBy(window("t", `${size} seconds`))
    .agg({ n: count() })
    .writeStream({
      queryName: "trial",
      outputMode: "append",
      sink: memory(),
      ...(options === undefined ? {} : { options }),
    }).definition;

const rows = (...times: number[]) => times.map((t) => ({ t: seconds(t) }));
const closed = (start: number, size: number, n: number) => ({
  window: { start: start * 1000, end: (start + size) * 1000 },
  n,
});
const shard = (name: string, ...sequences: number[]): MemoryShard => ({
  shard: name,
  parents: [],
  sequences: sequences.map(String),
});

describe("A1: an idle shard", () => {
  const idleB = async (idleTimeout?: string) => {
    const definition = counted({
      delay: 10,
      size: 10,
      across: "min",
      ...(idleTimeout === undefined ? {} : { idleTimeout }),
    });
    const e = engine(definition, { listed: ["input"] });
    e.lister.shards = [shard("A", 1, 2, 3), shard("B", 1)];
    const query = await e.start();
    e.clock.time = 1_000_000;
    await query.processBatch([send(1, rows(5), { shard: "A", arrival: e.clock.time })]);
    await query.processBatch([send(1, rows(5), { shard: "B", arrival: e.clock.time })]);
    await query.processBatch([send(2, rows(25), { shard: "A", arrival: e.clock.time })]);
    await query.processBatch([send(3, rows(45), { shard: "A", arrival: e.clock.time })]);
    return { e, query };
  };

  it("holds the watermark under across: min, and is named", async () => {
    const { e } = await idleB();
    expect(e.sink.rows()).toEqual([]);
    expect(e.progress.at(-1)).toMatchObject({ heldBackBy: "input/B" });
  });

  it("stops holding it once it was seen empty for idleTimeout", async () => {
    const { e, query } = await idleB("60 seconds");
    e.clock.time += 30_000;
    await query.tick();
    expect(e.sink.rows()).toEqual([]);
    e.clock.time += 31_000;
    // The busy shard goes on being read: a record of 45 that changes nothing but the arrival.
    e.lister.shards = [shard("A", 1, 2, 3, 4), shard("B", 1)];
    await query.processBatch([send(4, rows(45), { shard: "A", arrival: e.clock.time })]);
    await query.tick();
    expect(e.sink.rows()).toEqual([closed(0, 10, 2), closed(20, 10, 1)]);
  });
});

describe("A2: a shard that never had a record", () => {
  it("is left out after idleTimeout too, across a restart", async () => {
    const definition = counted({ delay: 10, size: 10, across: "min", idleTimeout: "60 seconds" });
    const e = engine(definition, { listed: ["input"] });
    e.lister.shards = [shard("A", 1, 2, 3), shard("B")];
    let query = await e.start();
    await query.processBatch([send(1, rows(5), { shard: "A", arrival: e.clock.time })]);
    await query.tick();
    e.clock.time += 40_000;
    query = await e.start();
    await query.processBatch([send(2, rows(25), { shard: "A", arrival: e.clock.time })]);
    await query.tick();
    expect(e.sink.rows()).toEqual([]);
    e.clock.time += 30_000;
    await query.processBatch([send(3, rows(45), { shard: "A", arrival: e.clock.time })]);
    await query.tick();
    expect(e.sink.rows()).toEqual([closed(0, 10, 1), closed(20, 10, 1)]);
  });
});

describe("A4: a shard that cannot be read", () => {
  it.each(["min", "auto"] as const)("is not idle: the watermark waits for it under %s", async (across) => {
    const definition = counted({
      delay: 10,
      size: 10,
      across,
      ...(across === "min" ? { idleTimeout: "60 seconds" } : {}),
    });
    const e = engine(definition, { listed: ["input"] });
    const unreadable: MemoryShard = { ...shard("B", 1, 2), unreadable: true };
    e.lister.shards = [shard("A", 1, 2), unreadable];
    const query = await e.start();
    await query.processBatch([send(1, rows(5), { shard: "A", arrival: e.clock.time })]);
    await query.processBatch([send(1, rows(5), { shard: "B", arrival: e.clock.time })]);
    const missing = e.clock.time + 1_000;
    for (let minute = 0; minute < 10; minute++) {
      e.clock.time += 60_000;
      await query.tick();
    }
    await query.processBatch([send(2, rows(45), { shard: "A", arrival: e.clock.time })]);
    expect(e.sink.rows()).toEqual([]);
    expect(e.progress.at(-1)).toMatchObject({ heldBackBy: "input/B" });
    e.lister.shards = [shard("A", 1, 2), shard("B", 1, 2)];
    await query.processBatch([send(2, rows(12), { shard: "B", arrival: missing })]);
    e.clock.time += 61_000;
    await query.tick();
    await query.processBatch([send(3, rows(46), { shard: "B", arrival: e.clock.time })]);
    await query.tick();
    expect(e.sink.rows("late")).toEqual([]);
    expect(e.sink.rows()).toContainEqual(closed(10, 10, 1));
  });
});

describe("A5: one row stamped a day ahead", () => {
  const poisoned = async (maxFutureSkew: string | false) => {
    const e = engine(counted({ delay: 60, size: 60, maxFutureSkew }));
    const query = await e.start();
    const at = (...times: number[]) => times.map((t) => t * 1000);
    await query.processBatch([send(1, rows(0, 120), { arrival: at(0, 120) })]);
    await query.processBatch([send(3, rows(86_400), { arrival: at(130) })]);
    const honest = Array.from({ length: 10 }, (_, index) => 180 + index * 60);
    await query.processBatch([send(4, rows(...honest), { arrival: at(...honest) })]);
    return e;
  };

  it("does not move the watermark, is counted, and makes nobody late", async () => {
    const e = await poisoned("300 seconds");
    expect(e.progress[1]).toMatchObject({ rowsIgnoredForWatermark: 1 });
    expect(e.sink.rows("late")).toEqual([]);
    expect(e.progress[2]!.stateOperators[0]!.accepted).toBe(10);
  });

  it("with the guard off makes ten rows late, and none vanishes", async () => {
    const e = await poisoned(false);
    expect(e.sink.rows("late")).toHaveLength(10);
    expect(e.progress[2]).toMatchObject({ numLateInputRows: 10 });
  });
});

describe("A6: a maximum that goes back a little", () => {
  it("leaves the watermark where it was", async () => {
    const e = engine(counted({ delay: 10, size: 1000 }));
    const query = await e.start();
    for (const [at, t] of [100, 99.998, 101].entries()) await query.processBatch([send(at + 1, rows(t))]);
    const watermarks = e.progress.map(({ eventTime }) => Date.parse(eventTime.watermark!) / 1000);
    expect(watermarks).toEqual([90, 90, 91]);
  });
});

describe("A7: a clock that steps back", () => {
  it("takes neither the watermark nor processing time with it", async () => {
    const e = engine(counted({ delay: 10, size: 10, options: { closeOnIdle: "60 seconds" } }), { listed: ["input"] });
    e.lister.shards = [shard("A", 1, 2)];
    let query = await e.start();
    e.clock.time = 1_000_000;
    await query.processBatch([send(1, rows(100), { shard: "A", arrival: 1_000_000 })]);
    e.clock.time = 995_000;
    query = await e.start();
    await query.processBatch([send(2, rows(101), { shard: "A", arrival: 995_000 })]);
    expect(e.progress.map(({ timestamp }) => Date.parse(timestamp))).toEqual([1_000_000, 1_000_000]);
    const [first, second] = e.progress.map(({ eventTime }) => Date.parse(eventTime.watermark!));
    expect(second).toBeGreaterThanOrEqual(first!);
  });
});

describe("A11: two inputs", () => {
  const union = (watermarkPolicy: "min" | "max") => {
    const input = (name: string, delay: string) =>
      readStream(memory({ name, schema: columns({ t: timestamp(), n: long() }) })).withWatermark("t", delay);
    return input("A", "10 seconds")
      .union(input("B", "15 seconds"))
      .groupBy(window("t", "1000 seconds"))
      .agg({ n: count() })
      .writeStream({ queryName: "trial", outputMode: "append", sink: memory(), watermarkPolicy }).definition;
  };

  it.each([
    ["min", [10, 110, 110]],
    ["max", [15, 115, 140]],
  ] as const)("under policy %s move the watermark to %j, whatever a redeploy configures", async (policy, expected) => {
    const e = engine(union(policy));
    let query = await e.start();
    const batch = (first: number, a: number | null, b: number | null) => [
      ...(a === null ? [] : [send(first, rows(a), { source: "A" })]),
      ...(b === null ? [] : [send(first, rows(b), { source: "B" })]),
    ];
    await query.processBatch(batch(1, 20, 30));
    query = await e.start(union(policy === "min" ? "max" : "min"));
    await query.processBatch(batch(2, 120, 130));
    // The side that the policy looks past (A stays at 110) or at (A goes to 140).
    await query.processBatch(policy === "min" ? batch(3, null, 150) : batch(3, 150, null));
    expect(e.progress.map(({ eventTime }) => Date.parse(eventTime.watermark!) / 1000)).toEqual(expected);
  });
});

describe("A11: a policy that nobody knows", () => {
  it("is refused when the query is built", () => {
    const write = (watermarkPolicy: string) =>
      readStream(memory({ name: "input", schema: columns({ t: timestamp() }) }))
        .withWatermark("t", "1 second")
        .writeStream({
          queryName: "trial",
          outputMode: "append",
          sink: memory(),
          watermarkPolicy: watermarkPolicy as "min",
        });
    expect(() => write("mean")).toThrow(/\[option-invalid\].*watermarkPolicy.*mean/);
    expect(write("max").definition.watermarkPolicy).toBe("max");
  });
});

describe("A13: a late row of an open window", () => {
  it("is counted", async () => {
    const e = engine(counted({ delay: 10, size: 60 }));
    const query = await e.start();
    for (const [at, t] of [55, 20, 75].entries()) await query.processBatch([send(at + 1, rows(t))]);
    expect(e.sink.rows()).toEqual([closed(0, 60, 2)]);
    expect(e.sink.rows("late")).toEqual([]);
  });
});

describe("A9: a row newer than the watermark", () => {
  it("is accepted, to the millisecond", async () => {
    const e = engine(counted({ delay: 0, size: 60 }));
    const query = await e.start();
    await query.processBatch([send(1, rows(1_674_124_707.321))]);
    expect(e.progress.at(-1)!.eventTime.watermark).toBe("2023-01-19T10:38:27.321Z");
    await query.processBatch([send(2, rows(1_674_124_707.598))]);
    await query.processBatch([send(3, rows(1_674_124_800))]);
    expect(e.sink.rows()).toEqual([closed(1_674_124_680, 60, 2)]);
    expect(e.sink.rows("late")).toEqual([]);
  });
});

describe("A10: a delay that nobody gave", () => {
  const windowed = () => readStream(memory({ name: "input", schema: columns({ t: timestamp() }) }));

  it("is not made up: append mode without a watermark is refused when the query is built", () => {
    const write = () =>
      windowed()
        .groupBy(window("t", "60 seconds"))
        .agg({ n: count() })
        .writeStream({ queryName: "trial", outputMode: "append" as never, sink: memory() } as never);
    expect(write).toThrow(/\[append-without-watermark\]/);
  });

  it.each(["-1 second", "1 month -40 days", "PT-1S"])("is refused when it is negative: %s", (delay) => {
    expect(() => windowed().withWatermark("t", delay)).toThrow(/\[negative-delay\]/);
  });

  it("may have negative parts: a month is 31 days", () => {
    expect(windowed().withWatermark("t", "1 month -31 days").plan).toMatchObject({ delayMs: 0 });
  });
});
