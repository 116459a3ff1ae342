import { expect, test } from "vitest";
import { and, coalesce, col, not, or, when } from "../../lib/index.js";

const [a, b] = [col("a").isNull(), col("b").isNull()];

test("conditions are put together in any number", () => {
  expect(and(a, b, a).expression).toMatchObject({ fn: "and", args: [a.expression, b.expression, a.expression] });
  expect(or(a, b).expression).toMatchObject({ fn: "or", args: [a.expression, b.expression] });
  expect(not(a).expression).toMatchObject({ fn: "not", args: [a.expression] });
  expect(coalesce(col("a"), "none").expression).toMatchObject({
    fn: "coalesce",
    args: [{ name: "a" }, { value: "none" }],
  });
});

test("a case that goes on leaves the one before it as it was", () => {
  const one = when(a, 1);
  const two = one.when(b, 2);
  expect(one.expression).toMatchObject({ fn: "caseWhen", args: [a.expression, { value: 1 }] });
  expect(two.expression).toMatchObject({ args: [a.expression, { value: 1 }, b.expression, { value: 2 }] });
  expect(two.otherwise(3).expression).toMatchObject({ args: { length: 5, 4: { value: 3 } } });
});
