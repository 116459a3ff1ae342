import { describe, expect, it } from "vitest";
import { deduplicateNode, filterNode, staticNode, unionNode } from "../../lib/plan/nodes/nodes.js";
import { planOperator } from "../../lib/planner/plan-operator.js";
import { tableRows } from "../../lib/planner/table-rows.js";
import { col, definitionOf, fn, long } from "./plans.js";

const table = staticNode(
  "dim",
  { kind: "table", rows: [] },
  { fields: [{ name: "id", type: "long", nullable: true }] },
);
const context = { definition: definitionOf(table), staticRows: () => [{ id: 1 }, { id: 2 }] };

describe("tableRows", () => {
  it("computes what stands between a table and its join", () => {
    const big = filterNode(table, fn("gt", col("id"), long(1)));
    expect(tableRows(unionNode(big, table), context, planOperator)).toEqual([{ id: 2 }, { id: 1 }, { id: 2 }]);
  });

  it("refuses verbs that keep state", () => {
    expect(() => tableRows(deduplicateNode(table), context, planOperator)).toThrow("static-verb");
  });
});
