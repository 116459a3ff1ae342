import { describe, expect, it } from "vitest";
import { aggregator } from "../../lib/operators/aggregates/aggregator.js";
import { type KeyAggregateSpec, keyAggregate } from "../../lib/operators/key-aggregate.js";
import { keyColumns } from "../../lib/operators/key-columns.js";
import { counters, operatorHarness } from "./operator-harness.js";

const harness = (overrides: Partial<KeyAggregateSpec> = {}) =>
  operatorHarness(
    keyAggregate({
      operatorId: "agg",
      keys: keyColumns([{ name: "t", type: "timestamp", nullable: true }]),
      eventTime: { name: "t", type: "timestamp" },
      aggregates: aggregator([{ as: "n", fn: "count", type: "long" }], { fields: [] }),
      outputMode: "append",
      ...overrides,
    }),
  );

describe("keyAggregate by a raw event time", () => {
  it("calls a row at the watermark late, unlike a window, and closes a group at it", () => {
    const pass = harness();
    const first = pass({ rows: [{ t: 10 }, { t: 10.001 }], late: 10, evict: 10 });
    expect(counters(first)).toEqual([1, 1, 0, 1]);
    expect(first.late).toMatchObject([{ eventTime: 10, watermark: 10 }]);
    expect(pass({ late: 10, evict: 11 }).output).toEqual([{ t: 10.001, n: 1 }]);
  });

  it("keeps the group of NULL for ever", () => {
    const pass = harness();
    expect(counters(pass({ rows: [{ t: null }, { t: null }], late: 99, evict: 99 }))).toEqual([1, 1, 0, 0]);
    expect(pass({ evict: 1e12 }).output).toEqual([]);
  });

  it("in complete mode neither drops nor evicts", () => {
    const pass = harness({ outputMode: "complete" });
    expect(counters(pass({ rows: [{ t: 1 }], late: 99, evict: 99 }))).toEqual([1, 1, 0, 0]);
  });
});

describe("keyAggregate by plain keys", () => {
  const plain = { eventTime: null, outputMode: "update" } as const;

  it("emits touched groups and keeps all", () => {
    const pass = harness({ ...plain, keys: keyColumns([{ name: "k", type: "string", nullable: true }]) });
    pass({ rows: [{ k: "a" }, { k: "b" }] });
    const second = pass({ rows: [{ k: "b" }], evict: 99 });
    expect(second.output).toEqual([{ k: "b", n: 2 }]);
    expect(counters(second)).toEqual([2, 1, 0, 0]);
  });

  it("without keys has one group", () => {
    const pass = harness({ ...plain, keys: keyColumns([]) });
    expect(pass({ rows: [{}, {}] }).output).toEqual([{ n: 2 }]);
  });
});
