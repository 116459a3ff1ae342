import { expect, test } from "vitest";
import { filterNode } from "../../../lib/plan/nodes/nodes.js";
import { call, codeOf, column, events } from "../plans.js";

test("a predicate is a condition over the input's columns, or a function", () => {
  const predicate = call("isNotNull", column("user"));
  expect(filterNode(events, predicate)).toMatchObject({ predicate, schema: events.schema });
  expect(filterNode(events, { function: "keep" }).predicate).toEqual({ function: "keep" });
});

test("a value that is no condition is refused, and so is a column that is not there", () => {
  expect(codeOf(() => filterNode(events, column("user")))).toBe("not-a-condition");
  expect(codeOf(() => filterNode(events, call("isNull", column("nope"))))).toBe("unknown-column");
});
