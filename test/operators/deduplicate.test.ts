import { describe, expect, it } from "vitest";
import { deduplicate } from "../../lib/operators/deduplicate.js";
import { keyColumns } from "../../lib/operators/key-columns.js";
import type { Field } from "../../lib/plan/schema.js";
import { counters, operatorHarness } from "./operator-harness.js";

const FIELDS: Record<string, Field> = {
  ts: { name: "ts", type: "timestamp", nullable: true },
  user: { name: "user", type: "string", nullable: true },
  window: { name: "window", type: "window", nullable: true },
};

interface Options {
  readonly keys: readonly string[];
  readonly eventTime?: "timestamp" | "window" | null;
  readonly withinDelayMs?: number;
}

const make = ({ keys, eventTime = "timestamp", withinDelayMs }: Options) =>
  deduplicate({
    operatorId: "dedup",
    keys: keyColumns(keys.map((key) => FIELDS[key]!)),
    eventTime: eventTime === null ? null : { name: eventTime === "window" ? "window" : "ts", type: eventTime },
    withinDelayMs: withinDelayMs ?? null,
  });

const row = (user: string | null, ts: number | null) => ({ user, ts });

describe("dropDuplicates", () => {
  it("lets the first row of a key pass, in a batch and across batches", () => {
    const run = operatorHarness(make({ keys: ["user"], eventTime: null }));
    const first = run({ chunks: [[row("a", 1), row("b", 1)], [row("a", 2)]] });
    expect(first.output).toEqual([row("a", 1), row("b", 1)]);
    expect(first.metrics.numDroppedDuplicateRows).toBe(1);
    expect(run({ rows: [row("b", 9), row("c", 9)] }).output).toEqual([row("c", 9)]);
  });

  it("takes NULL keys for equal", () => {
    const run = operatorHarness(make({ keys: ["user"], eventTime: null }));
    expect(run({ rows: [row(null, 1), row(null, 2)] }).output).toEqual([row(null, 1)]);
  });

  it("drops rows at the watermark and evicts keys at it, when the time is a key", () => {
    const run = operatorHarness(make({ keys: ["user", "ts"] }));
    expect(counters(run({ rows: [row("a", 10), row("a", 11)] }))).toEqual([2, 2, 0, 0]);
    expect(counters(run({ late: 0, evict: 10 }))).toEqual([1, 0, 1, 0]);
    const next = run({ rows: [row("a", 10), row("a", 11)], late: 10, evict: 10 });
    expect(next.output).toEqual([]);
    expect(counters(next)).toEqual([1, 0, 0, 1]);
    expect(next.late).toEqual([
      { operatorId: "dedup", row: row("a", 10), origin: { source: 0, record: 0 }, eventTime: 10, watermark: 10 },
    ]);
  });

  it("drops late rows and keeps every key when the time is no key", () => {
    const run = operatorHarness(make({ keys: ["user"] }));
    run({ rows: [row("a", 10)] });
    expect(counters(run({ evict: 100 }))).toEqual([1, 0, 0, 0]);
    expect(counters(run({ rows: [row("b", 100), row("a", 200)], late: 100, evict: 100 }))).toEqual([1, 0, 0, 1]);
  });

  it("keeps a key with a NULL time for ever and never calls it late", () => {
    const run = operatorHarness(make({ keys: ["user", "ts"] }));
    run({ rows: [row("a", null)] });
    const next = run({ rows: [row("a", null)], late: 1e12, evict: 1e12 });
    expect(next.output).toEqual([]);
    expect(counters(next)).toEqual([1, 0, 0, 0]);
  });

  it("compares the end of a window, and reports the window that a late row missed", () => {
    const run = operatorHarness(make({ keys: ["window"], eventTime: "window" }));
    const window = { start: 0, end: 10 };
    expect(run({ rows: [{ window }], late: 9, evict: 9 }).output).toHaveLength(1);
    expect(counters(run({ evict: 10 }))).toEqual([0, 0, 1, 0]);
    const { late } = run({ rows: [{ window }], late: 10, evict: 10 });
    expect(late).toMatchObject([{ eventTime: 9.999, missed: [window] }]);
  });

  it("stores and evicts in one pass what lies between the two watermarks", () => {
    const run = operatorHarness(make({ keys: ["user", "ts"] }));
    const pass = run({ rows: [row("a", 7)], late: 5, evict: 10 });
    expect(pass.output).toEqual([row("a", 7)]);
    expect(counters(pass)).toEqual([0, 1, 1, 0]);
  });

  it("asks for passes without data only where the stream has a watermark", () => {
    expect(make({ keys: ["user"] }).wantsNoDataPass).toBe(true);
    expect(make({ keys: ["user"], eventTime: null }).wantsNoDataPass).toBe(false);
  });
});

describe("dropDuplicatesWithinWatermark", () => {
  it("forgets a key at its first row's time plus the delay, however late its duplicates were", () => {
    const run = operatorHarness(make({ keys: ["user"], withinDelayMs: 10 }));
    run({ rows: [row("a", 100), row("a", 500)] });
    expect(counters(run({ evict: 109 }))).toEqual([1, 0, 0, 0]);
    expect(counters(run({ evict: 110 }))).toEqual([0, 0, 1, 0]);
    expect(run({ rows: [row("a", 501)], late: 110, evict: 110 }).output).toEqual([row("a", 501)]);
  });

  it("suppresses a duplicate in the very batch that evicts its key", () => {
    const run = operatorHarness(make({ keys: ["user"], withinDelayMs: 10 }));
    run({ rows: [row("a", 100)] });
    const pass = run({ rows: [row("a", 130)], late: 90, evict: 120 });
    expect(pass.output).toEqual([]);
    expect(counters(pass)).toEqual([0, 0, 1, 0]);
  });

  it("counts a NULL time as the epoch", () => {
    const run = operatorHarness(make({ keys: ["user"], withinDelayMs: 10 }));
    run({ rows: [row("a", null)] });
    expect(counters(run({ evict: 9 }))).toEqual([1, 0, 0, 0]);
    expect(counters(run({ evict: 10 }))).toEqual([0, 0, 1, 0]);
  });

  it("keeps microseconds in the expiry", () => {
    const run = operatorHarness(make({ keys: ["user"], withinDelayMs: 10 }));
    run({ rows: [row("a", 100.001)] });
    expect(counters(run({ evict: 110 }))).toEqual([1, 0, 0, 0]);
    expect(counters(run({ evict: 111 }))).toEqual([0, 0, 1, 0]);
  });
});
