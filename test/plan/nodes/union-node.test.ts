import { expect, test } from "vitest";
import { projectNode, sourceNode, unionNode } from "../../../lib/plan/nodes/nodes.js";
import { codeOf, events, keep, schemaOf } from "../plans.js";

const other = (types: Parameters<typeof schemaOf>[0]) => sourceNode("other", { kind: "memory" }, schemaOf(types));

test("inputs of the same columns in the same order are left as they are", () => {
  const same = other({ ts: "timestamp", user: "string", value: "long" });
  expect(unionNode(events, same).inputs).toEqual([events, same]);
});

test("columns are matched by name and brought into the first input's order", () => {
  const turned = other({ value: "long", ts: "timestamp", user: "string" });
  const [, second] = unionNode(events, turned).inputs;
  expect(second).toEqual(projectNode(turned, [keep("ts"), keep("user"), keep("value")]));
});

test("numbers widen on the side that is narrower", () => {
  const union = unionNode(events, other({ ts: "timestamp", user: "string", value: "double" }));
  expect(union.schema.fields[2]).toMatchObject({ name: "value", type: "double" });
  expect(union.inputs[0]).toMatchObject({ kind: "project", columns: [{}, {}, { type: "double" }] });
  expect(union.inputs[1]).toMatchObject({ kind: "source" });
});

test("other columns or other types are refused", () => {
  expect(codeOf(() => unionNode(events, other({ ts: "timestamp", user: "string" })))).toBe("union-columns-differ");
  expect(codeOf(() => unionNode(events, other({ ts: "timestamp", user: "string", value: "long", more: "long" })))).toBe(
    "union-columns-differ",
  );
  expect(codeOf(() => unionNode(events, other({ ts: "timestamp", user: "long", value: "long" })))).toBe(
    "union-columns-differ",
  );
});
