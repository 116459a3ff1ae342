import { expect, test } from "vitest";
import { sourceNode, staticNode } from "../../../lib/plan/nodes/nodes.js";
import { codeOf, schemaOf } from "../plans.js";

test.each([sourceNode, staticNode])("names that would break a row are refused", (make) => {
  expect(codeOf(() => make("s", { kind: "memory" }, schemaOf({ page: "string" })))).toBe("accepted");
  const fields = [{ name: "__proto__", type: "string", nullable: true }] as const;
  expect(codeOf(() => make("s", { kind: "memory" }, { fields }))).toBe("column-name");
});
