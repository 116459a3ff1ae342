import { expect, test } from "vitest";
import { conjuncts, visitColumns } from "../../lib/plan/visit-expression.js";
import { call, column } from "./plans.js";

const [a, b, c] = [column("a"), column("b"), column("c")];

test("columns are visited from left to right, at any depth", () => {
  const seen: string[] = [];
  visitColumns(call("or", call("eq", a, b), call("isNull", c)), ({ name }) => seen.push(name));
  expect(seen).toEqual(["a", "b", "c"]);
});

test("AND is split at any depth, OR is not", () => {
  const either = call("or", a, b);
  expect(conjuncts(call("and", a, call("and", either, c)))).toEqual([a, either, c]);
  expect(conjuncts(either)).toEqual([either]);
});
