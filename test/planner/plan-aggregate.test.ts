import { describe, expect, it } from "vitest";
import type { SessionSpec } from "../../lib/plan/logical-plan.js";
import { aggregateNode, makeSession } from "../../lib/plan/nodes/nodes.js";
import { col, definitionOf, fn, long, planned, watermarked } from "./plans.js";

const SECOND = 1000;

const sessions = (gap: SessionSpec["gap"], functions: Record<string, unknown> = {}) => {
  const plan = aggregateNode(watermarked(), {
    window: makeSession("t", gap),
    keys: [{ name: "k", value: col("k") }],
    aggregates: [{ as: "n", fn: "count" }],
  });
  const { pass } = planned(definitionOf(plan, { functions }));
  pass({
    rows: {
      0: [
        { t: 0, k: "a", v: 1 },
        { t: 4 * SECOND, k: "a", v: 2 },
      ],
    },
  });
  return pass({ evict: 1_000 * SECOND }).output.map(({ n }) => n);
};

describe("the gap of a session", () => {
  it("may be fixed, or chosen by cases, or computed by a function of the row", () => {
    expect(sessions(5_000_000)).toEqual([2]);
    expect(sessions(3_000_000)).toEqual([1, 1]);
    const cases = { cases: [{ when: fn("eq", col("v"), long(1)), gap: 5_000_000 }], otherwise: 1_000_000 };
    expect(sessions(cases)).toEqual([2]);
    expect(
      sessions({ function: "gap" }, { gap: (row: { v: number }) => (row.v === 1 ? 1_000_000 : 9_000_000) }),
    ).toEqual([1, 1]);
  });
});

describe("a raw event time among the keys", () => {
  it("closes its groups under whatever name it has there", () => {
    const plan = aggregateNode(watermarked(), {
      keys: [
        { name: "at", value: col("t") },
        { name: "k", value: col("k") },
      ],
      aggregates: [{ as: "n", fn: "count" }],
    });
    const { pass } = planned(definitionOf(plan));
    pass({ rows: { 0: [{ t: 5, k: "a", v: 1 }] } });
    expect(pass({ evict: 5 }).output).toEqual([{ at: 5, k: "a", n: 1 }]);
  });
});
