import { expect, test } from "vitest";
import { abs, ceil, col, floor, negate, round } from "../../lib/index.js";

const n = col("n");
const column = { kind: "column", name: "n" };

test("functions of numbers write calls", () => {
  expect([abs(n), negate(n), floor(n), ceil(n)].map(({ expression }) => expression)).toEqual(
    ["abs", "negate", "floor", "ceil"].map((fn) => ({ kind: "call", fn, args: [column] })),
  );
});

test("round always says to how many digits", () => {
  const digits = (value: number) => ({ kind: "literal", value, type: "int" });
  expect(round(n).expression).toEqual({ kind: "call", fn: "round", args: [column, digits(0)] });
  expect(round(n, -2).expression).toEqual({ kind: "call", fn: "round", args: [column, digits(-2)] });
});
