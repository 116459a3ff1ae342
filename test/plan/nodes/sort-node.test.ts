import { expect, test } from "vitest";
import { sortNode } from "../../../lib/plan/nodes/nodes.js";
import { codeOf, events } from "../plans.js";

test("rows are sorted by columns that are there", () => {
  const columns = [{ name: "user", descending: true }];
  expect(sortNode(events, columns)).toMatchObject({ columns, schema: events.schema });
  expect(codeOf(() => sortNode(events, [{ name: "nope", descending: false }]))).toBe("unknown-column");
});
