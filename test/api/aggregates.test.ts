import { expect, test } from "vitest";
import {
  approxCountDistinct,
  approxPercentile,
  col,
  count,
  first,
  maxBy,
  sum,
  userAggregate,
} from "../../lib/index.js";

const value = { kind: "column", name: "v" };

test("an aggregate names its function and its argument, a column by name or an expression", () => {
  expect(count().input).toEqual({ fn: "count" });
  expect(sum("v").input).toEqual({ fn: "sum", value });
  expect(sum(col("v")).input).toEqual(sum("v").input);
  expect(maxBy("v", "w").input).toEqual({ fn: "maxBy", value, by: { kind: "column", name: "w" } });
});

test("options are said only where they are not the default", () => {
  expect(first("v").input).toEqual({ fn: "first", value });
  expect(first("v", { ignoreNulls: true }).input).toEqual({ fn: "first", value, ignoreNulls: true });
  expect(approxCountDistinct("v").input).toEqual({ fn: "approxCountDistinct", value });
  expect(approxCountDistinct("v", { precision: 14 }).input.options).toEqual({ precision: 14 });
  expect(approxPercentile("v", 0.5, { accuracy: 0.02 }).input.options).toEqual({ percentile: 0.5, accuracy: 0.02 });
});

test("one object of functions has one id, in any query", () => {
  const functions = {
    init: () => 0,
    add: (n: number) => n + 1,
    merge: (a: number, b: number) => a + b,
    finish: String,
  };
  const one = userAggregate("v", functions);
  const two = userAggregate("w", functions);
  expect(one.input.options).toEqual(two.input.options);
  expect(Object.values(one.functions)).toEqual([functions]);
  expect(userAggregate("v", { ...functions }).input.options).not.toEqual(one.input.options);
});
