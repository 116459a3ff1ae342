import { expect, it } from "vitest";
import type { AggregateSpec } from "../../../lib/plan/logical-plan.js";
import { aggregateOf, resultOf, values } from "./grouping.js";

const NUMBERS = values(4, null, 1, 4);

it.each<[AggregateSpec["fn"], unknown]>([
  ["count", 3],
  ["sum", 9],
  ["avg", 3],
  ["min", 1],
  ["max", 4],
  ["first", 4],
  ["last", 4],
  ["variance", 3],
  ["stddev", Math.sqrt(3)],
  ["collectList", [4, 1, 4]],
  ["collectSet", [4, 1]],
  ["countDistinct", 2],
  ["approxCountDistinct", 2],
  ["bitAnd", 0],
])("compiles %s", (fn, expected) => {
  expect(resultOf(aggregateOf({ fn }, "long"), NUMBERS)).toEqual(expected);
});

it("finds a user's aggregate among the query's functions", () => {
  const longest = { init: () => 0, add: (n: number) => n + 1, merge: (a: number, b: number) => a + b, finish: String };
  const group = aggregateOf({ fn: "user", options: { function: "f" } }, "long", { f: longest });
  expect(resultOf(group, NUMBERS)).toBe("4");
  expect(() => aggregateOf({ fn: "user", options: { function: "g" } }, "long", { f: longest })).toThrow();
});
