import { describe, expect, it } from "vitest";
import { aggregateNode, filterNode, limitNode, makeWindow } from "../../lib/plan/nodes/nodes.js";
import { col, definitionOf, fn, long, planned, source, watermarked } from "./plans.js";

const rows = [1, 2, 3].map((v) => ({ t: v * 1000, k: "a", v }));

describe("a runnable plan", () => {
  it("points every row of a delivery at its record", () => {
    const { query, pass } = planned(definitionOf(watermarkedCount()));
    expect(query.sources).toMatchObject([{ name: "events" }]);
    pass({ rows: { 0: rows }, evict: 0 });
    const { late } = pass({ rows: { 0: rows }, late: 1_000_000, evict: 1_000_000 });
    expect(late.map(({ origin }) => origin)).toEqual([0, 1, 2].map((record) => ({ source: 0, record })));
  });

  it("counts what filters remove", () => {
    const few = filterNode(source(), fn("gt", col("v"), long(2)));
    expect(planned(definitionOf(few)).pass({ rows: { 0: rows } })).toMatchObject({ filtered: 2, output: [{ v: 3 }] });
  });

  it("reads no further than the limit above a source wants", () => {
    const { query, pass } = planned(definitionOf(limitNode(source(), 2)));
    expect(pass({ rows: { 0: rows } }).output).toHaveLength(2);
    expect(query.wantsNoDataPass).toBe(false);
  });
});

function watermarkedCount() {
  return aggregateNode(watermarked(), {
    window: makeWindow({ column: "t", size: "5 seconds" }),
    keys: [],
    aggregates: [{ as: "n", fn: "count" }],
  });
}
