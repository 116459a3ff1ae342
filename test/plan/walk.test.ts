import { expect, test } from "vitest";
import { deduplicateNode, joinNode, limitNode, staticNode, unionNode } from "../../lib/plan/nodes/nodes.js";
import { inputsOf, isStateful, isStreaming, keepsState, nodesBelow, nodesUpwards } from "../../lib/plan/walk.js";
import { call, clicks, column, events, schemaOf, timedEvents } from "./plans.js";

const table = staticNode("pages", { kind: "table", rows: [] }, schemaOf({ page: "string" }));
const on = call("eq", column("user", "left"), column("page", "right"));

test("nodes come from the sources up, left before right, and twice if they stand twice", () => {
  const both = unionNode(events, events);
  expect(nodesUpwards(limitNode(both, 1)).map(({ kind }) => kind)).toEqual(["source", "source", "union", "limit"]);
  expect(nodesBelow(timedEvents)).toEqual([events]);
  expect(inputsOf(events)).toEqual([]);
});

test("a plan streams if one source feeds it", () => {
  expect(isStreaming(table)).toBe(false);
  expect(isStreaming(joinNode(events, table, { type: "inner", on }))).toBe(true);
});

test("a join keeps state between two streams alone", () => {
  expect(isStateful(joinNode(events, table, { type: "inner", on }))).toBe(false);
  const streams = call("eq", column("user", "left"), column("rk", "right"));
  expect(isStateful(joinNode(events, clicks, { type: "inner", on: streams }))).toBe(true);
  expect(isStateful(deduplicateNode(events))).toBe(true);
  expect(isStateful(timedEvents)).toBe(false);
});

test("a limit keeps state unless the result is complete, an aggregation always", () => {
  const limited = limitNode(events, 1);
  expect([keepsState(limited, "append"), keepsState(limited, "complete")]).toEqual([true, false]);
  expect(keepsState(deduplicateNode(events), "complete")).toBe(true);
  expect(keepsState(timedEvents, "append")).toBe(false);
});
