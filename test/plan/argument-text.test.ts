import { expect, it } from "vitest";
import { argumentText } from "../../lib/plan/argument-text.js";
import { resolveExpression } from "../../lib/plan/resolve.js";
import { call, column, schemaOf } from "./plans.js";

it("names an argument by what was written and its type, and a computed one by its type alone", () => {
  expect(argumentText(column("page"), "string")).toBe("page: string");
  expect(argumentText({ kind: "literal", value: "a", type: "string" }, "string")).toBe("'a': string");
  expect(argumentText(call("add", column("n"), column("n")), "long")).toBe("bigint");
});

it("stands in the refusal of what has no meaning", () => {
  const five = { kind: "literal", value: 5, type: "int" } as const;
  const compare = () => resolveExpression(call("gt", column("page"), five), schemaOf({ page: "string" }));
  expect(compare).toThrow("gt(page: string, 5: int) has no meaning.");
});

it("suggests the column that was meant", () => {
  const misspelt = () => resolveExpression(column("pgae"), schemaOf({ page: "string" }));
  expect(misspelt).toThrow("There is no column 'pgae'; did you mean 'page'?");
});
