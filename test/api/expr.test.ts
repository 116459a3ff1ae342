import { describe, expect, test } from "vitest";
import { and, coalesce, col, double, interval, lit, not, or, when } from "../../lib/index.js";
import { codeOf } from "../plan/plans.js";

const a = { kind: "column", name: "a" };

describe("literals", () => {
  test("have the narrowest type that holds them", () => {
    expect(lit(1).expression).toEqual({ kind: "literal", value: 1, type: "int" });
    expect(lit(2 ** 31).expression).toEqual({ kind: "literal", value: 2 ** 31, type: "long" });
    expect(lit(0.5).expression).toEqual({ kind: "literal", value: 0.5, type: "double" });
    expect(lit(2n ** 60n).expression).toEqual({ kind: "literal", value: "1152921504606846976", type: "long" });
    expect(lit(new Date(5)).expression).toEqual({ kind: "literal", value: 5, type: "timestamp" });
    expect(lit(null).expression).toEqual({ kind: "literal", value: null, type: "json" });
    expect(lit(0, double()).expression).toEqual({ kind: "literal", value: 0, type: "double" });
  });

  test("an interval keeps its text, and is read at once", () => {
    expect(interval("10 seconds").expression).toEqual({ kind: "interval", micros: 10_000_000, text: "10 seconds" });
    expect(codeOf(() => interval("1 month"))).toBe("interval-in-months");
  });
});

describe("expressions are plain data", () => {
  test("methods and functions write calls", () => {
    expect(not(col("a").eq("x")).expression).toEqual({
      kind: "call",
      fn: "not",
      args: [{ kind: "call", fn: "eq", args: [a, { kind: "literal", value: "x", type: "string" }] }],
    });
    expect(or(col("a").isNull(), and(col("a").isIn(1, 2))).expression).toMatchObject({
      fn: "or",
      args: [{ fn: "isNull" }, { fn: "and", args: [{ fn: "isIn", args: [a, { value: 1 }, { value: 2 }] }] }],
    });
  });

  test("cases are pairs, with the rest at the end", () => {
    const cases = when(col("a").lt(1), "low").when(col("a").lt(9), "mid");
    expect(cases.expression).toMatchObject({ fn: "caseWhen" });
    expect(cases.otherwise("high").expression).toMatchObject({ args: { length: 5 } });
    expect(cases.expression).toMatchObject({ args: { length: 4 } });
  });

  test("field reaches into a column, at any depth, and into nothing else", () => {
    expect(col("a").field("b").field("c").expression).toEqual({ ...a, path: ["b", "c"] });
    expect(codeOf(() => col("a").plus(1).field("b"))).toBe("type-mismatch");
  });

  test("a cast names its type", () => {
    expect(col("a").cast(double()).expression).toEqual({
      kind: "call",
      fn: "cast",
      args: [a],
      options: { type: "double" },
    });
  });

  test("they are frozen and JSON-able", () => {
    const { expression } = coalesce(col("a"), 0);
    expect(Object.isFrozen(expression)).toBe(true);
    expect(JSON.parse(JSON.stringify(expression))).toEqual(expression);
  });
});
