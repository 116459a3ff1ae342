import { describe, expect, it } from "vitest";
import { aggregator } from "../../lib/operators/aggregates/aggregator.js";
import { keyColumns } from "../../lib/operators/key-columns.js";
import { type SessionAggregateSpec, sessionAggregate } from "../../lib/operators/session-aggregate.js";
import type { Row, Schema } from "../../lib/plan/schema.js";
import { onRow } from "./batches.js";
import { counters, operatorHarness, type PassOutcome } from "./operator-harness.js";

const INPUT: Schema = {
  fields: [
    { name: "user", type: "string", nullable: true },
    { name: "ts", type: "timestamp", nullable: true },
    { name: "value", type: "json", nullable: true },
  ],
};

const countAndList = aggregator(
  [
    { as: "n", fn: "count", type: "long" },
    { as: "values", fn: "collectList", value: { kind: "column", name: "value" }, type: { array: "json" } },
  ],
  INPUT,
);

const operator = (options: Partial<SessionAggregateSpec> = {}) =>
  sessionAggregate({
    operatorId: "sessions",
    keys: keyColumns([{ name: "user", type: "string", nullable: true }]),
    column: { name: "ts", type: "timestamp" },
    watermarked: true,
    gap: onRow((row) =>
      row["gapMs"] === undefined ? 10_000 : (row["gapMs"] as number | null) && (row["gapMs"] as number) * 1000,
    ),
    as: "session",
    aggregates: countAndList,
    outputMode: "append",
    lateRule: "state",
    ...options,
  });

const make = (options: Partial<SessionAggregateSpec> = {}) => operatorHarness(operator(options));

const row = (ts: number | null, more: Row = {}): Row => ({ user: "a", ts, ...more });

/** [user, start, end, n] */
const sessions = ({ output }: PassOutcome) =>
  output.map((out) => {
    const session = out["session"] as { start: number; end: number };
    return [out["user"], session.start, session.end, out["n"]];
  });

describe("sessionAggregate in append mode", () => {
  it("emits a session once, when the watermark reaches its end", () => {
    const run = make();
    expect(sessions(run({ rows: [row(0), row(9)], evict: 0 }))).toEqual([]);
    expect(sessions(run({ evict: 18 }))).toEqual([]);
    const closing = run({ evict: 19 });
    expect(sessions(closing)).toEqual([["a", 0, 19, 2]]);
    expect(counters(closing)).toEqual([0, 0, 1, 0]);
    expect(sessions(run({ evict: 100 }))).toEqual([]);
  });

  it("merges rows exactly one gap apart, also across batches", () => {
    const run = make();
    run({ rows: [row(0)] });
    run({ rows: [row(10), row(20.001)] });
    expect(sessions(run({ evict: 100 }))).toEqual([
      ["a", 0, 20, 2],
      ["a", 20.001, 30.001, 1],
    ]);
  });

  it("joins two stored sessions by a bridging row and counts the start that is gone", () => {
    const run = make();
    expect(counters(run({ rows: [row(0), row(15)] }))).toEqual([2, 2, 0, 0]);
    expect(counters(run({ rows: [row(8)] }))).toEqual([1, 1, 1, 0]);
    expect(sessions(run({ evict: 100 }))).toEqual([["a", 0, 25, 3]]);
  });

  it("counts a session that is extended backwards as one removed and one updated", () => {
    const run = make();
    run({ rows: [row(10)] });
    expect(counters(run({ rows: [row(5)] }))).toEqual([1, 1, 1, 0]);
  });

  it("counts every live session of a touched key as updated, and none of another key", () => {
    const run = make();
    run({ rows: [row(0), row(100), row(0, { user: "b" })] });
    expect(counters(run({ rows: [row(200)] }))).toEqual([4, 3, 0, 0]);
  });

  it("takes NULL keys for one key", () => {
    const run = make();
    run({ rows: [row(0, { user: null }), row(5, { user: null })] });
    expect(sessions(run({ evict: 100 }))).toEqual([[null, 0, 15, 2]]);
  });

  it("folds by session start, not by arrival, and in any chunks alike", () => {
    const rows = [row(20, { value: "third" }), row(0, { value: "first" }), row(10, { value: "second" })];
    for (const chunks of [[rows], rows.map((each) => [each])]) {
      const run = make();
      run({ chunks });
      expect(run({ evict: 100 }).output[0]?.["values"]).toEqual(["first", "second", "third"]);
    }
  });

  it("folds a stored session as one, before what begins later", () => {
    const run = make();
    run({ rows: [row(0, { value: 0 }), row(9, { value: 9 })] });
    run({ rows: [row(5, { value: 5 }), row(-3, { value: -3 })] });
    expect(run({ evict: 100 }).output[0]?.["values"]).toEqual([-3, 0, 9, 5]);
  });

  it("does not shorten a session by a short gap inside it", () => {
    const run = make();
    run({ rows: [row(0, { gapMs: 100 }), row(50, { gapMs: 1 })] });
    expect(sessions(run({ evict: 100 }))).toEqual([["a", 0, 100, 2]]);
  });

  it("ignores rows without time, without a gap and with a gap that is not positive, and reports them", () => {
    const pass = make()({ rows: [row(null), row(1, { gapMs: null }), row(1, { gapMs: 0 }), row(1, { gapMs: -5 })] });
    expect(counters(pass)).toEqual([0, 0, 0, 0]);
    expect(pass.withoutTime.map(({ reason }) => reason)).toEqual([
      "no-event-time",
      "session-gap",
      "session-gap",
      "session-gap",
    ]);
    expect(pass.metrics.withoutTime).toBe(4);
  });

  it("tests lateness per row, before merging into an open session", () => {
    const run = make();
    run({ rows: [row(15)] });
    const pass = run({ rows: [row(6), row(7)], late: 16, evict: 16 });
    expect(counters(pass)).toEqual([1, 1, 1, 1]);
    expect(pass.late).toEqual([
      {
        operatorId: "sessions",
        row: row(6),
        origin: { source: 0, record: 0 },
        eventTime: 6,
        watermark: 16,
        missed: [{ start: 6, end: 16 }],
      },
    ]);
  });

  it("begins a new session for a row at the watermark where the old one ended there", () => {
    const run = make();
    run({ rows: [row(0)] });
    expect(sessions(run({ evict: 10 }))).toEqual([["a", 0, 10, 1]]);
    const pass = run({ rows: [row(10)], late: 10, evict: 10 });
    expect(counters(pass)).toEqual([1, 1, 0, 0]);
    expect(sessions(run({ evict: 20 }))).toEqual([["a", 10, 20, 1]]);
  });

  it("counts the distinct late sessions and reports every late row", () => {
    const pass = make()({ rows: [row(1), row(1), row(2), row(1, { user: "b" })], late: 50, evict: 50 });
    expect(counters(pass)).toEqual([0, 0, 0, 3]);
    expect(pass.metrics.numLateInputRows).toBe(4);
    expect(pass.late).toHaveLength(4);
  });

  it("calls late by event time what is older than the watermark, when told to", () => {
    const pass = make({ lateRule: "event-time" })({ rows: [row(15.999), row(16)], late: 16, evict: 16 });
    expect(pass.metrics.numLateInputRows).toBe(1);
    expect(pass.metrics.accepted).toBe(1);
  });

  it("reads the last instant of a window column", () => {
    const run = make({ column: { name: "window", type: "window" } });
    run({ rows: [{ user: "a", window: { start: 0, end: 5 } }] });
    expect(sessions(run({ evict: 15 }))).toEqual([["a", 4.999, 14.999, 1]]);
  });

  it("leaves the committed accumulators of a thrown-away attempt as they were", () => {
    const run = make();
    run({ rows: [row(0, { value: 1 })] });
    run({ rows: [row(1, { value: "lost" })], discard: true });
    run({ rows: [row(1, { value: 2 })] });
    expect(run({ evict: 100 }).output[0]).toMatchObject({ n: 2, values: [1, 2] });
  });
});

describe("sessionAggregate in complete mode", () => {
  it("emits every session in every pass, never evicts, and drops late rows all the same", () => {
    const run = make({ outputMode: "complete" });
    run({ rows: [row(0)] });
    const pass = run({ rows: [row(40), row(5)], late: 30, evict: 30 });
    expect(sessions(pass)).toEqual([
      ["a", 0, 10, 1],
      ["a", 40, 50, 1],
    ]);
    expect(counters(pass)).toEqual([2, 2, 0, 1]);
  });

  it("asks for no pass without data", () => {
    expect(operator({ outputMode: "complete" }).wantsNoDataPass).toBe(false);
    expect(operator().wantsNoDataPass).toBe(true);
  });
});
