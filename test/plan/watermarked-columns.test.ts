import { describe, expect, test } from "vitest";
import {
  aggregateNode,
  deduplicateNode,
  filterNode,
  joinNode,
  makeWindow,
  mapNode,
  projectNode,
  unionNode,
  watermarkNode,
} from "../../lib/plan/nodes/nodes.js";
import { watermarkedColumns } from "../../lib/plan/watermarked-columns.js";
import {
  call,
  clicks,
  column,
  countPerWindow,
  events,
  interval,
  keep,
  schemaOf,
  timedClicks,
  timedEvents,
} from "./plans.js";

const names = (...args: Parameters<typeof watermarkedColumns>) => watermarkedColumns(...args).map(({ name }) => name);

describe("event time", () => {
  test("begins at withWatermark, which the last one of marks", () => {
    expect(names(events)).toEqual([]);
    expect(watermarkedColumns(timedEvents)).toEqual([{ name: "ts", type: "timestamp", delayMs: 10_000 }]);
    expect(watermarkedColumns(watermarkNode(timedEvents, "ts", "1 minute"))).toMatchObject([{ delayMs: 60_000 }]);
  });

  test("goes with a plain rename and is lost by a drop or anything computed", () => {
    expect(names(projectNode(timedEvents, [keep("user"), keep("ts", "at")]))).toEqual(["at"]);
    expect(names(projectNode(timedEvents, [keep("user")]))).toEqual([]);
    expect(names(projectNode(timedEvents, [{ name: "ts", value: call("add", column("ts"), interval(0)) }]))).toEqual(
      [],
    );
  });

  test("stays in a window of it, and in that window's time, but not in the window's start", () => {
    const windowed = projectNode(timedEvents, [
      { name: "w", value: { ...call("windowOf", column("ts")), options: { size: 1, slide: 1, offset: 0 } } as never },
    ]);
    expect(watermarkedColumns(windowed)).toEqual([{ name: "w", type: "window", delayMs: 10_000 }]);
    const timed = projectNode(windowed, [{ name: "t", value: call("windowTime", column("w")) }]);
    expect(watermarkedColumns(timed)).toEqual([{ name: "t", type: "timestamp", delayMs: 10_000 }]);
    const start = projectNode(windowed, [{ name: "s", value: { kind: "column", name: "w", path: ["start"] } }]);
    expect(names(start)).toEqual([]);
  });

  test("passes filters and deduplication", () => {
    expect(names(deduplicateNode(filterNode(timedEvents, { function: "f" }), { keys: ["user"] }))).toEqual(["ts"]);
  });

  test("of an aggregation is the window or the raw key, never an aggregate", () => {
    expect(names(countPerWindow(timedEvents))).toEqual(["window"]);
    const raw = aggregateNode(timedEvents, {
      keys: [keep("ts", "t"), keep("user")],
      aggregates: [{ as: "latest", fn: "max", value: column("ts") }],
    });
    expect(names(raw)).toEqual(["t"]);
    const both = aggregateNode(timedEvents, {
      window: makeWindow({ column: "ts", size: "5 minutes" }),
      keys: [keep("ts")],
      aggregates: [],
    });
    expect(names(both)).toEqual(["window", "ts"]);
  });

  test("of a union is that of its first input", () => {
    const other = projectNode(clicks, [keep("rts", "ts"), keep("rk", "user"), keep("rv", "value")]);
    expect(names(unionNode(timedEvents, other))).toEqual(["ts"]);
    expect(names(unionNode(other, timedEvents))).toEqual([]);
  });

  test("of a join is that of both sides; of a semi join the left's", () => {
    const on = call("eq", column("user", "left"), column("rk", "right"));
    expect(names(joinNode(timedEvents, timedClicks, { type: "inner", on }))).toEqual(["ts", "rts"]);
    expect(names(joinNode(timedEvents, timedClicks, { type: "leftSemi", on }))).toEqual(["ts"]);
  });

  test("passes map only in the column that is named", () => {
    const schema = schemaOf({ at: "timestamp" });
    expect(names(mapNode(timedEvents, { kind: "map", function: "f", schema }))).toEqual([]);
    expect(names(mapNode(timedEvents, { kind: "map", function: "f", schema, eventTime: "at" }))).toEqual(["at"]);
    expect(names(mapNode(events, { kind: "map", function: "f", schema, eventTime: "at" }))).toEqual([]);
  });
});
