import { expect, it } from "vitest";
import { col, regexpLike } from "../../lib/index.js";
import type { Expression } from "../../lib/plan/expression.js";
import { regularExpression } from "../../lib/plan/regular-expression.js";
import { resolveExpression } from "../../lib/plan/resolve.js";
import { codeOf } from "./plans.js";

it("TRIALS-2 C11: takes Java's flags in front of the pattern", () => {
  expect(regularExpression("(?i)error").test("An ERROR")).toBe(true);
  expect(regularExpression("(?s)a.b").test("a\nb")).toBe(true);
  expect(regularExpression("(?im)^b$").test("a\nB")).toBe(true);
  expect(regularExpression("(?:a|b)(?<n>c)").test("bc")).toBe(true);
});

it("TRIALS-2 C11: refuses a constant pattern when the query is built", () => {
  for (const pattern of ["(", "(?x)a b", "a(?i)b", "(?i:a)b", "\\Qa.b\\E", "a++"])
    expect([pattern, codeOf(() => regexpLike(col("s"), pattern))]).toEqual([pattern, "regexp-invalid"]);
  expect(() => regularExpression("a(?i)b")).toThrow("flags may only stand before the pattern");
  const given: Expression = {
    kind: "call",
    fn: "regexpLike",
    args: ["a", "("].map((value) => ({ kind: "literal", value, type: "string" })),
  };
  expect(codeOf(() => resolveExpression(given, { fields: [] }))).toBe("regexp-invalid");
});
