import { expect, it } from "vitest";
import { joinNode, staticNode } from "../../lib/plan/nodes/nodes.js";
import { impliedByJoin } from "../../lib/planner/implied-filters.js";
import { call, clicks, column, events, schemaOf } from "../plan/plans.js";

const notNull = (name: string) =>
  expect.objectContaining({ fn: "isNotNull", args: [expect.objectContaining({ name })] });

it("an inner join keeps rows without a key away from both sides", () => {
  const on = call("eq", column("user", "left"), column("rk", "right"));
  const implied = impliedByJoin(joinNode(events, clicks, { type: "inner", on }));
  expect(implied).toEqual({ left: [notNull("user")], right: [notNull("rk")] });
});

it("an outer join keeps them on the side that it pads, and a table filters itself", () => {
  const on = call("eq", column("user", "left"), column("rk", "right"));
  expect(impliedByJoin(joinNode(events, clicks, { type: "leftOuter", on }))).toEqual({
    left: [],
    right: [notNull("rk")],
  });
  const table = staticNode("pages", { kind: "table", rows: [] }, schemaOf({ rk: "string" }));
  expect(impliedByJoin(joinNode(events, table, { type: "inner", on }))).toEqual({ left: [notNull("user")], right: [] });
});
