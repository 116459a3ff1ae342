import { expect, test } from "vitest";
import { filterNode, limitNode, projectNode, sortNode } from "../../../lib/plan/nodes/nodes.js";
import { call, codeOf, column, events, keep } from "../plans.js";

const windowOf = {
  kind: "call",
  fn: "windowOf",
  args: [column("ts")],
  options: { size: 1, slide: 1, offset: 0 },
} as const;

test("columns stand in the order given, with the type of their expression", () => {
  const node = projectNode(events, [
    { name: "big", value: call("gt", column("value"), { kind: "literal", value: 5, type: "int" }) },
    keep("user", "who"),
    { name: "f", value: { function: "f" }, type: "double" },
    { name: "g", value: { function: "g" } },
  ]);
  expect(node.schema.fields).toEqual([
    { name: "big", type: "boolean", nullable: true },
    { name: "who", type: "string", nullable: true },
    { name: "f", type: "double", nullable: true },
    { name: "g", type: "json", nullable: true },
  ]);
  expect(node.columns[1]).toEqual({ name: "who", value: column("user"), type: "string" });
});

test("one window at most", () => {
  expect(codeOf(() => projectNode(events, [{ name: "a", value: windowOf }]))).toBe("accepted");
  expect(
    codeOf(() =>
      projectNode(events, [
        { name: "a", value: windowOf },
        { name: "b", value: windowOf },
      ]),
    ),
  ).toBe("multiple-windows");
});

test("filters are conditions, limits whole numbers, sorts of columns that are there", () => {
  expect(codeOf(() => filterNode(events, column("user")))).toBe("not-a-condition");
  expect(codeOf(() => filterNode(events, call("isNull", column("user"))))).toBe("accepted");
  expect(codeOf(() => limitNode(events, -1))).toBe("limit-negative");
  expect(codeOf(() => limitNode(events, 1.5))).toBe("limit-negative");
  expect(codeOf(() => sortNode(events, [{ name: "nope", descending: false }]))).toBe("unknown-column");
});
