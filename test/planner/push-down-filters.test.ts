import { describe, expect, it } from "vitest";
import type { LogicalNode } from "../../lib/plan/logical-plan.js";
import {
  aggregateNode,
  deduplicateNode,
  filterNode,
  joinNode,
  makeSession,
  makeWindow,
  projectNode,
  unionNode,
  watermarkNode,
} from "../../lib/plan/nodes/nodes.js";
import { pushDownFilters } from "../../lib/planner/push-down-filters.js";
import { col, fn, kindsOf, long, source, watermarked } from "./plans.js";

const onValue = fn("gt", col("v"), long(0));
const onTime = fn("isNotNull", col("t"));
const pushed = (node: LogicalNode) => kindsOf(pushDownFilters(node));

describe("pushDownFilters", () => {
  it("sinks a conjunct below a watermark whose column it does not read", () => {
    expect(pushed(filterNode(watermarked(), onValue))).toEqual(["withWatermark", "filter", "source"]);
    expect(pushed(filterNode(watermarked(), onTime))).toEqual(["filter", "withWatermark", "source"]);
  });

  it("splits AND, and does not split OR", () => {
    expect(pushed(filterNode(watermarked(), fn("and", onValue, onTime)))).toEqual([
      "filter",
      "withWatermark",
      "filter",
      "source",
    ]);
    expect(pushed(filterNode(watermarked(), fn("or", onValue, onTime)))).toEqual(["filter", "withWatermark", "source"]);
  });

  it("keeps the order of filters that end up at one place: the first guards the others", () => {
    const guarded = (node: LogicalNode): unknown[] => {
      const predicates: unknown[] = [];
      for (let at: LogicalNode = pushDownFilters(node); "input" in at; at = at.input)
        if (at.kind === "filter") predicates.unshift(at.predicate);
      return predicates;
    };
    const others = [1, 2, 3].map((n) => fn("gt", col("v"), long(n)));
    const [first, second, third] = others as [(typeof others)[0], (typeof others)[0], (typeof others)[0]];
    expect(guarded(filterNode(source(), fn("and", first, fn("and", second, third))))).toEqual(others);
    const inTwo = filterNode(filterNode(watermarked(), first), fn("and", second, third));
    expect(guarded(inTwo)).toEqual(others);
    expect(guarded(filterNode(watermarkNode(filterNode(source(), first), "t", "1 minute"), second))).toEqual([
      first,
      second,
    ]);
  });

  it("leaves function predicates where they are, and what stands above them", () => {
    const byFunction = filterNode(watermarked(), { function: "f" });
    expect(pushed(filterNode(byFunction, onValue))).toEqual(["filter", "filter", "withWatermark", "source"]);
  });

  it("passes a projection by what defines the columns, and stops at a function", () => {
    const doubled = projectNode(watermarked(), [
      { name: "t", value: col("t") },
      { name: "w", value: fn("add", col("v"), col("v")) },
      { name: "f", value: { function: "f" } },
    ]);
    expect(pushed(filterNode(doubled, fn("gt", col("w"), long(0))))).toEqual([
      "project",
      "withWatermark",
      "filter",
      "source",
    ]);
    expect(pushed(filterNode(doubled, fn("isNull", col("f"))))).toEqual([
      "filter",
      "project",
      "withWatermark",
      "source",
    ]);
  });

  it("passes the keys of an aggregation, and not its results or its window", () => {
    const counted = aggregateNode(watermarked(), {
      window: makeWindow({ column: "t", size: "5 minutes" }),
      keys: [{ name: "k", value: col("k") }],
      aggregates: [{ as: "n", fn: "count" }],
    });
    expect(pushed(filterNode(counted, fn("isNotNull", col("k"))))).toEqual([
      "aggregate",
      "withWatermark",
      "filter",
      "source",
    ]);
    expect(pushed(filterNode(counted, fn("gt", col("n"), long(1))))).toEqual([
      "filter",
      "aggregate",
      "withWatermark",
      "source",
    ]);
    expect(pushed(filterNode(counted, fn("isNotNull", col("window"))))[0]).toBe("filter");
  });

  it("goes into both inputs of a union, and stops at deduplication", () => {
    const union = pushDownFilters(filterNode(unionNode(watermarked("a"), watermarked("b")), onValue));
    expect(union.kind === "union" && union.inputs.map(kindsOf)).toEqual([
      ["withWatermark", "filter", "source"],
      ["withWatermark", "filter", "source"],
    ]);
    expect(pushed(filterNode(deduplicateNode(watermarked(), { keys: ["k"] }), onValue))[0]).toBe("filter");
  });

  it("makes no filter where a window's own check comes to the same", () => {
    const counted = aggregateNode(watermarked(), {
      window: makeWindow({ column: "t", size: "5 minutes" }),
      keys: [],
      aggregates: [{ as: "n", fn: "count" }],
    });
    expect(pushed(counted)).toEqual(["aggregate", "withWatermark", "source"]);
  });

  it("keeps rows without the window's time from moving another column's watermark", () => {
    const other = watermarkNode(source("events", { t: "timestamp", u: "timestamp" }), "u", "0 seconds");
    const counted = aggregateNode(other, {
      window: makeWindow({ column: "t", size: "5 minutes" }),
      keys: [],
      aggregates: [{ as: "n", fn: "count" }],
    });
    expect(pushed(counted)).toEqual(["aggregate", "withWatermark", "filter", "source"]);
  });

  it("sinks a session gap that means nothing to the source: not even the watermark moves", () => {
    const sessions = aggregateNode(watermarked(), {
      window: makeSession("t", null),
      keys: [{ name: "k", value: col("k") }],
      aggregates: [{ as: "n", fn: "count" }],
    });
    expect(pushed(sessions)).toEqual(["aggregate", "withWatermark", "filter", "source"]);
  });
});

describe("what a join implies", () => {
  const left = projectNode(watermarked("a"), [
    { name: "lt", value: col("t") },
    { name: "lk", value: col("k") },
    { name: "lv", value: col("v") },
  ]);
  const side = (name: string, of: "left" | "right") => ({ kind: "column", name, side: of }) as const;
  const right = watermarked("b");
  const on = fn("and", fn("eq", side("lk", "left"), side("k", "right")), fn("gt", side("v", "right"), long(0)));

  it("an inner join filters both sides below their watermarks", () => {
    const join = pushDownFilters(joinNode(left, right, { type: "inner", on }));
    expect(join.kind === "join" && [kindsOf(join.left), kindsOf(join.right)]).toEqual([
      ["project", "withWatermark", "filter", "source"],
      ["withWatermark", "filter", "filter", "filter", "source"],
    ]);
  });

  it("a left outer join filters its right side alone, and lets filters above through to its left", () => {
    const join = joinNode(left, right, { type: "leftOuter", on });
    const node = pushDownFilters(filterNode(join, fn("gt", col("lv"), long(0))));
    expect(node.kind === "join" && kindsOf(node.left)).toEqual(["project", "withWatermark", "filter", "source"]);
    expect(kindsOf(pushDownFilters(filterNode(join, onValue)))[0]).toBe("filter");
  });
});
