import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aggregator } from "../../lib/operators/aggregates/aggregator.js";
import { keyColumns } from "../../lib/operators/key-columns.js";
import { type WindowAggregateSpec, windowAggregate } from "../../lib/operators/window-aggregate.js";
import type { Row } from "../../lib/plan/schema.js";
import { memoryState as operatorState } from "../../lib/state/staged-state.js";
import { counters, operatorHarness } from "./operator-harness.js";

const SECOND = 1000;
const MICROS = 1_000_000;
const column = (name: string) => ({ kind: "column", name }) as const;

const specOf = (overrides: Partial<WindowAggregateSpec> = {}): WindowAggregateSpec => ({
  operatorId: "agg",
  column: { name: "t", type: "timestamp" },
  watermarked: true,
  size: 10 * MICROS,
  slide: 10 * MICROS,
  offset: 0,
  as: "window",
  keys: keyColumns([{ name: "k", type: "string", nullable: true }]),
  aggregates: aggregator(
    [
      { as: "n", fn: "count", type: "long" },
      { as: "total", fn: "sum", value: column("v"), type: "long" },
      { as: "seen", fn: "collectSet", value: column("v"), type: { array: "long" } },
    ],
    { fields: [{ name: "v", type: "long", nullable: true }] },
  ),
  outputMode: "append",
  lateRule: "state",
  ...overrides,
});

const harness = (overrides: Partial<WindowAggregateSpec> = {}) => operatorHarness(windowAggregate(specOf(overrides)));
const row = (seconds: number | null, k: string | null = "a", v: number | null = 1): Row => ({
  t: seconds === null ? null : seconds * SECOND,
  k,
  v,
});
const bounds = (start: number, end: number) => ({ start: start * SECOND, end: end * SECOND });

describe("windowAggregate in append mode", () => {
  it("emits a window once, when its end is at or before the eviction watermark, and forgets it", () => {
    const pass = harness();
    expect(pass({ rows: [row(1), row(9.999), row(10, "a", 5)] }).output).toEqual([]);
    const closed = pass({ evict: 10 * SECOND });
    expect(closed.output).toEqual([{ window: bounds(0, 10), k: "a", n: 2, total: 2, seen: [1] }]);
    expect(counters(closed)).toEqual([1, 0, 1, 0]);
    expect(pass({ evict: 10 * SECOND }).output).toEqual([]);
  });

  it("accepts a row behind the watermark while its window is open, and reports it once when it is not", () => {
    const pass = harness();
    const late = 10 * SECOND;
    expect(counters(pass({ rows: [row(10), row(9.9995, "a"), row(3, "a"), row(4, "b")], late, evict: late }))).toEqual([
      1, 1, 0, 2,
    ]);
    const { late: lateRows, metrics } = pass({ rows: [row(9)], late, evict: late });
    expect(metrics).toMatchObject({ rowsIn: 1, accepted: 0, numLateInputRows: 1, partlyLate: 0 });
    expect(lateRows).toEqual([
      {
        operatorId: "agg",
        row: row(9),
        origin: { source: 0, record: 0 },
        eventTime: 9 * SECOND,
        watermark: late,
        missed: [bounds(0, 10)],
      },
    ]);
  });

  it("counts late groups and not late rows in Spark's counter", () => {
    const { metrics } = harness()({ rows: [row(1), row(2), row(3, "b")], late: 20 * SECOND });
    expect(metrics).toMatchObject({ numRowsDroppedByWatermark: 2, numLateInputRows: 3 });
  });

  it("keeps what is late by one watermark and evicted by another apart", () => {
    const pass = harness();
    expect(pass({ rows: [row(1)], late: 5 * SECOND, evict: 20 * SECOND }).output).toMatchObject([{ n: 1 }]);
  });

  it("sends rows without time to where they are reported, uncounted as late", () => {
    const { withoutTime, metrics } = harness()({ rows: [row(null)], late: 20 * SECOND });
    expect(withoutTime).toMatchObject([{ operatorId: "agg", reason: "no-event-time" }]);
    expect(metrics).toMatchObject({ withoutTime: 1, accepted: 0, numLateInputRows: 0, numRowsTotal: 0 });
  });

  it("makes NULL keys one group", () => {
    const { output } = harness()({ rows: [row(1, null), row(2, null)], evict: 10 * SECOND });
    expect(output).toMatchObject([{ k: null, n: 2 }]);
  });

  it("emits windows of a former size with the bounds that they began with", () => {
    const state = operatorState();
    operatorHarness(windowAggregate(specOf()), state)({ rows: [row(1)] });
    const wider = operatorHarness(windowAggregate(specOf({ size: 5 * MICROS, slide: 5 * MICROS })), state);
    wider({ rows: [row(7)] });
    const { output } = wider({ evict: 10 * SECOND });
    expect(output.map(({ window }) => window).sort(byStart)).toEqual([bounds(0, 10), bounds(5, 10)]);
  });
});

describe("windowAggregate in update mode", () => {
  it("emits touched groups, also one that closes at once, and closes the others silently", () => {
    const pass = harness({ outputMode: "update" });
    expect(pass({ rows: [row(1), row(11, "b")] }).output).toMatchObject([{ k: "a" }, { k: "b" }]);
    const second = pass({ rows: [row(12, "b")], late: 0, evict: 20 * SECOND });
    expect(second.output).toMatchObject([{ k: "b", n: 2 }]);
    expect(counters(second)).toEqual([0, 1, 2, 0]);
  });
});

describe("windowAggregate in complete mode", () => {
  it("emits all in every pass, drops nothing, evicts nothing", () => {
    const pass = harness({ outputMode: "complete" });
    pass({ rows: [row(1)] });
    const { output, metrics } = pass({ rows: [row(2, "b")], late: 99 * SECOND, evict: 99 * SECOND });
    expect(output).toMatchObject([{ k: "a" }, { k: "b" }]);
    expect(metrics).toMatchObject({ numRowsRemoved: 0, numRowsDroppedByWatermark: 0, numRowsTotal: 2 });
  });
});

describe("windowAggregate over sliding windows", () => {
  const sliding = { slide: 5 * MICROS };

  it("counts a row in each of its windows", () => {
    const { output } = harness(sliding)({ rows: [row(7)], evict: 99 * SECOND });
    expect(output.map(({ window }) => window)).toEqual([bounds(0, 10), bounds(5, 15)]);
  });

  it("accepts a row that is late for some windows into the others, and reports it as partly late", () => {
    const { late, metrics } = harness(sliding)({ rows: [row(7)], late: 10 * SECOND, evict: 10 * SECOND });
    expect(metrics).toMatchObject({
      accepted: 1,
      partlyLate: 1,
      numLateInputRows: 0,
      numRowsTotal: 1,
      numRowsDroppedByWatermark: 1,
    });
    expect(late).toMatchObject([{ partial: true, missed: [bounds(0, 10)] }]);
  });
});

describe("the late rule", () => {
  it("event-time calls every row behind the watermark late, whatever its window", () => {
    const pass = harness({ lateRule: "event-time" });
    const late = 5 * SECOND;
    const { metrics } = pass({ rows: [row(4.999), row(5)], late, evict: late });
    expect(metrics).toMatchObject({ accepted: 1, numLateInputRows: 1 });
  });
});

describe("windowAggregate and its state", () => {
  it("gives the same answer however the rows are cut into chunks and passes", () => {
    const rows = fc.array(
      fc.record({
        t: fc.integer({ min: 0, max: 60 }),
        k: fc.constantFrom("a", "b"),
        v: fc.integer({ min: 0, max: 9 }),
      }),
    );
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 5 }), (generated, cut) => {
        const input = generated.map(({ t, k, v }) => row(t, k, v));
        const chunks: Row[][] = [];
        for (let i = 0; i < input.length; i += cut) chunks.push(input.slice(i, i + cut));
        const end = { evict: 1000 * SECOND };
        const whole = harness()({ rows: input, ...end }).output;
        expect(harness()({ chunks, ...end }).output).toEqual(whole);
        const passes = harness();
        for (const chunk of chunks) passes({ rows: chunk });
        expect(passes(end).output).toEqual(whole);
      }),
    );
  });

  it("forgets a pass that is thrown away", () => {
    const pass = harness();
    pass({ rows: [row(1)] });
    pass({ rows: [row(2)], discard: true });
    expect(pass({ rows: [row(3)], evict: 10 * SECOND }).output).toMatchObject([{ n: 2 }]);
  });

  it("without a watermarked column never evicts and never calls a row late", () => {
    const pass = harness({ watermarked: false, outputMode: "update" });
    const { metrics } = pass({ rows: [row(1)], late: 99 * SECOND, evict: 99 * SECOND });
    expect(metrics).toMatchObject({ numRowsTotal: 1, numRowsRemoved: 0, numLateInputRows: 0 });
  });
});

const byStart = (a: unknown, b: unknown) => (a as { start: number }).start - (b as { start: number }).start;
