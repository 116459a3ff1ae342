import { expect, test } from "vitest";
import { columnRef, selectionColumns } from "../../lib/api/select.js";
import { col } from "../../lib/index.js";
import { codeOf, schemaOf } from "../plan/plans.js";

test("names, new names and expressions become columns in the order given", () => {
  const half = col("n").dividedBy(2);
  expect(selectionColumns(["page", { at: "eventTime", half }])).toEqual([
    { name: "page", value: { kind: "column", name: "page" } },
    { name: "at", value: { kind: "column", name: "eventTime" } },
    { name: "half", value: half.expression },
  ]);
});

test("a name is checked where there is a schema to check it by", () => {
  expect(codeOf(() => columnRef("nope"))).toBe("accepted");
  expect(codeOf(() => columnRef("nope", schemaOf({ page: "string" })))).toBe("unknown-column");
});
