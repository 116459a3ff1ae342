import { describe, expect, it } from "vitest";
import { defineQuery } from "../../lib/plan/define-query.js";
import type { LogicalNode } from "../../lib/plan/logical-plan.js";
import {
  aggregateNode,
  deduplicateNode,
  filterNode,
  joinNode,
  limitNode,
  makeWindow,
  mapNode,
  projectNode,
  sortNode,
  sourceNode,
  statefulNode,
  staticNode,
  unionNode,
  watermarkNode,
} from "../../lib/plan/nodes/nodes.js";
import { col, definitionOf, fn, long, planned, source, watermarked } from "./plans.js";

const MINUTE = 60_000;
const counted = (input: LogicalNode = watermarked()) =>
  aggregateNode(input, {
    window: makeWindow({ column: "t", size: "1 minute" }),
    keys: [{ name: "k", value: col("k") }],
    aggregates: [{ as: "n", fn: "count" }],
  });
const row = (t: number | null, k = "a", v = 1) => ({ t, k, v });

describe("planQuery", () => {
  it("runs a windowed aggregation from rows to closed windows", () => {
    const { query, pass } = planned(definitionOf(counted()));
    const first = pass({ rows: { 0: [row(1), row(2), row(null)] } });
    expect(first.observations).toEqual([{ node: 0, source: 0, shard: "s", maxEventTime: 2, steps: [] }]);
    expect(first.withoutTime).toHaveLength(1);
    expect(pass({ evict: MINUTE }).output).toEqual([{ window: { start: 0, end: MINUTE }, k: "a", n: 2 }]);
    expect(query.wantsNoDataPass).toBe(true);
    expect(query.tables).toMatchObject([{ table: "groups" }]);
  });

  it("reads an input that stands twice in the plan twice", () => {
    const events = watermarked();
    const { query, pass } = planned(definitionOf(unionNode(events, events)));
    expect(query.sources.map(({ name }) => name)).toEqual(["events", "events"]);
    expect(query.watermarks.map(({ id, sources }) => [id, sources])).toEqual([
      ["events:t:0", [0]],
      ["events:t:0#2", [1]],
    ]);
    expect(pass({ rows: { 0: [row(1)], 1: [row(1)] } }).output).toEqual([row(1), row(1)]);
  });

  it("names a watermark by what it reads, its column and its delay, never by its place", () => {
    const id = (plan: Parameters<typeof definitionOf>[0]) =>
      planned(definitionOf(plan)).query.watermarks.map((node) => node.id);
    expect(id(unionNode(watermarked("a"), watermarked("b", "1 second")))).toEqual(["a:t:0", "b:t:1000"]);
    expect(id(watermarkNode(unionNode(source("a"), source("b")), "t", "0 seconds"))).toEqual(["a+b:t:0"]);
  });

  it("counts filtered rows where they are removed, below the watermark", () => {
    const { pass } = planned(definitionOf(filterNode(watermarked(), fn("gt", col("v"), long(0)))));
    const { filtered, observations, output } = pass({ rows: { 0: [row(1), row(99, "a", -1)] } });
    expect({ filtered, max: observations[0]!.maxEventTime, output }).toEqual({ filtered: 1, max: 1, output: [row(1)] });
  });

  it("lists operators downstream first, and gives each its own watermarks", () => {
    const hourly = aggregateNode(counted(), {
      window: makeWindow({ column: "window", size: "2 minutes", as: "w2" }),
      keys: [],
      aggregates: [{ as: "m", fn: "sum", value: col("n") }],
    });
    const { query, pass } = planned(definitionOf(hourly));
    expect(query.stateful).toHaveLength(2);
    pass({ rows: { 0: [row(1), row(MINUTE)] } });
    const closing = pass({ late: 0, evict: 2 * MINUTE });
    expect(closing.output).toEqual([{ w2: { start: 0, end: 2 * MINUTE }, m: 2 }]);
    expect(closing.stateOperators.map(({ numRowsRemoved }) => numRowsRemoved)).toEqual([1, 2]);
  });

  it("lowers the watermark by what a join keeps, for the operators above it alone", () => {
    const right = projectNode(watermarked("b"), [
      { name: "rt", value: col("t") },
      { name: "rk", value: col("k") },
    ]);
    const side = (name: string, of: "left" | "right") => ({ kind: "column", name, side: of }) as const;
    const later = { kind: "interval", micros: 10_000_000, text: "10 seconds" } as const;
    const join = joinNode(watermarked("a"), right, {
      type: "inner",
      on: fn(
        "and",
        fn("eq", side("k", "left"), side("rk", "right")),
        fn("ge", side("rt", "right"), side("t", "left")),
        fn("le", side("rt", "right"), fn("add", side("t", "left"), later)),
      ),
    });
    const { pass } = planned(definitionOf(counted(join)));
    pass({ rows: { 0: [row(1)], 1: [row(2)] } });
    expect(pass({ evict: MINUTE + 10_000 }).output).toEqual([]);
    expect(pass({ evict: MINUTE + 10_001 }).output).toMatchObject([{ n: 1 }]);
  });

  it("casts a json column under a watermark, and under a window without one", () => {
    const events = sourceNode(
      "events",
      { kind: "memory" },
      {
        fields: [
          { name: "t", type: "json", nullable: true },
          { name: "k", type: "string", nullable: true },
        ],
      },
    );
    const text = { t: "1970-01-01T00:00:01Z", k: "a" };
    const watermark = planned(definitionOf(counted(watermarkNode(events, "t", "0 seconds"))));
    expect(watermark.pass({ rows: { 0: [text] } }).observations[0]!.maxEventTime).toBe(1000);
    const plain = planned(definitionOf(counted(events), { outputMode: "update" }));
    expect(plain.pass({ rows: { 0: [text, { t: "soon", k: "a" }] } })).toMatchObject({
      output: [{ window: { start: 0, end: MINUTE }, n: 1 }],
      withoutTime: [{ reason: "no-event-time" }],
    });
  });

  it("computes grouping keys that are not columns", () => {
    const grouped = aggregateNode(source(), {
      keys: [{ name: "v", value: fn("mod", col("v"), long(2)) }],
      aggregates: [{ as: "total", fn: "sum", value: col("v") }],
    });
    const { pass } = planned(definitionOf(grouped, { outputMode: "update" }));
    expect(pass({ rows: { 0: [row(1, "a", 1), row(1, "a", 3), row(1, "a", 4)] } }).output).toEqual([
      { v: 1, total: 4 },
      { v: 0, total: 4 },
    ]);
  });

  it("calls user functions for filters, columns and maps, and says which one threw", () => {
    const functions = {
      keep: (r: { v: number }) => r.v > 0,
      twice: (r: { v: number }) => [r, r],
      fail: () => {
        throw new Error("no");
      },
    };
    const plan = mapNode(filterNode(source(), { function: "keep" }), {
      kind: "flatMap",
      function: "twice",
      schema: source().schema,
    });
    const { pass } = planned(definitionOf(plan, { functions }));
    expect(pass({ rows: { 0: [row(1), row(2, "a", -1)] } }).output).toEqual([row(1), row(1)]);
    const failing = planned(definitionOf(filterNode(source(), { function: "fail" }), { functions }));
    expect(() => failing.pass({ rows: { 0: [row(1)] } })).toThrow(
      "[user-function] The user function 'fail' threw: no.",
    );
    expect(() => planned(definitionOf(filterNode(source(), { function: "gone" })))).toThrow("function-missing");
  });

  it("joins a static table that was selected from and filtered", () => {
    const table = staticNode(
      "dim",
      { kind: "table", rows: [] },
      {
        fields: [
          { name: "id", type: "string", nullable: true },
          { name: "label", type: "string", nullable: true },
        ],
      },
    );
    const named = projectNode(filterNode(table, fn("isNotNull", col("label"))), [
      { name: "id", value: col("id") },
      { name: "title", value: fn("upper", col("label")) },
    ]);
    const side = (name: string, of: "left" | "right") => ({ kind: "column", name, side: of }) as const;
    const join = joinNode(source(), named, { type: "inner", on: fn("eq", side("k", "left"), side("id", "right")) });
    const staticRows = () => [
      { id: "a", label: "x" },
      { id: "b", label: null },
    ];
    const { pass } = planned(definitionOf(join), { staticRows });
    expect(pass({ rows: { 0: [row(1, "a"), row(1, "b")] } }).output).toEqual([{ ...row(1, "a"), id: "a", title: "X" }]);
  });

  it("joins a prepared static table that stands on the left, its columns first", () => {
    const fields = [
      { name: "id", type: "long", nullable: true },
      { name: "label", type: "string", nullable: true },
    ] as const;
    const table = staticNode("dim", { kind: "table", rows: [] }, { fields });
    const prepared = projectNode(filterNode(table, fn("gt", col("id"), long(1))), [
      { name: "key", value: col("id") },
      { name: "title", value: fn("upper", col("label")) },
    ]);
    const side = (name: string, of: "left" | "right") => ({ kind: "column", name, side: of }) as const;
    const plan = joinNode(prepared, watermarked(), {
      type: "inner",
      on: fn("eq", side("key", "left"), side("v", "right")),
    });
    const { options, ...definition } = definitionOf(plan);
    const staticRows = () => [
      { id: 1, label: "a" },
      { id: 2, label: "b" },
      { id: null, label: "n" },
    ];
    const { pass } = planned(defineQuery({ ...definition, options }), { staticRows });
    const rows = [1, 2, null].map((v) => ({ t: 1, k: "x", v }));
    const { output } = pass({ rows: { 0: rows } });
    expect(output.map((row) => Object.entries(row))).toEqual([
      Object.entries({ key: 2, title: "B", t: 1, k: "x", v: 2 }),
    ]);
  });

  it("refuses a query without its processor or group function", () => {
    for (const kind of ["transformWithState", "groupsWithState"] as const) {
      const node = statefulNode(source(), {
        kind,
        keys: ["k"],
        function: "gone",
        timeMode: "none",
        outputMode: "append",
        schema: { fields: [] },
      });
      expect(() => planned(definitionOf(node))).toThrow("[function-missing] The query has no function 'gone'.");
    }
  });

  it("stops reading below a limit that has its fill, so that the rest does not move the watermark", () => {
    const { query, pass } = planned(definitionOf(limitNode(watermarked(), 2)));
    const { observations, output } = pass({ rows: { 0: [row(1), row(2), row(3)] } });
    expect(output).toHaveLength(2);
    expect(observations[0]!.maxEventTime).toBe(2);
    expect(query.stateful).toHaveLength(1);
  });

  it("sorts and limits a complete result anew in every pass, without state of its own", () => {
    const grouped = aggregateNode(source(), {
      keys: [{ name: "k", value: col("k") }],
      aggregates: [{ as: "n", fn: "count" }],
    });
    const top = limitNode(sortNode(grouped, [{ name: "n", descending: true }]), 1);
    const { query, pass } = planned(definitionOf(top, { outputMode: "complete" }));
    expect(pass({ rows: { 0: [row(1, "a")] } }).output).toEqual([{ k: "a", n: 1 }]);
    expect(pass({ rows: { 0: [row(1, "b"), row(1, "b")] } }).output).toEqual([{ k: "b", n: 2 }]);
    expect(query.stateful).toHaveLength(1);
  });

  it("wants no pass without data if nothing can be late", () => {
    expect(planned(definitionOf(deduplicateNode(source(), { keys: ["k"] }))).query.wantsNoDataPass).toBe(false);
    expect(planned(definitionOf(watermarked())).query.wantsNoDataPass).toBe(false);
  });

  it("with one watermark for all, drops what an operator emitted behind it, as Spark did", () => {
    const chain = aggregateNode(counted(), {
      window: makeWindow({ column: "window", size: "2 minutes", as: "w2" }),
      keys: [],
      aggregates: [{ as: "m", fn: "count" }],
    });
    const options = {
      onError: "fail",
      noDataMicroBatches: true,
      statePartitions: 1,
      allowMultipleStatefulOperators: false,
    } as const;
    const { pass } = planned(definitionOf(chain, { options }));
    pass({ rows: { 0: [row(1)] } });
    expect(pass({ late: 0, evict: 2 * MINUTE })).toMatchObject({ output: [], late: [{ watermark: 2 * MINUTE }] });
  });

  it("shows a listener every event time, NULL too", () => {
    const seen: unknown[] = [];
    const { pass } = planned(definitionOf(watermarked()), { onEventTime: (id, time) => seen.push([id, time]) });
    pass({ rows: { 0: [row(5), row(null)] } });
    expect(seen).toEqual([
      ["events:t:0", 5],
      ["events:t:0", null],
    ]);
  });
});
