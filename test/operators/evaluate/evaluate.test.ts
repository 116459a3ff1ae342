import { describe, expect, it } from "vitest";
import { compileCondition, compileExpression } from "../../../lib/operators/evaluate/evaluate.js";
import { call, col, lit, schema } from "./expressions.js";

describe("compileExpression", () => {
  it("reads an absent or undefined column as NULL", () => {
    const read = compileExpression(col("a"), schema({ a: "long" }));
    expect(read({})).toBeNull();
    expect(read({ a: undefined })).toBeNull();
  });

  it("follows a path into a window, and into what a json object owns alone", () => {
    const window = compileExpression(col("w", "end"), schema({ w: "window" }));
    expect(window({ w: { start: 1, end: 2 } })).toBe(2);
    expect(window({ w: null })).toBeNull();
    const json = compileExpression(col("j", "constructor"), schema({ j: "json" }));
    expect(json({ j: {} })).toBeNull();
  });

  it("keeps a long literal beyond 2^53 exact", () => {
    expect(compileExpression(lit("9007199254740993", "long"), schema({}))({})).toBe(9007199254740993n);
  });

  it("reads each side of a join's condition from its own row", () => {
    const scope = { left: schema({ k: "long" }), right: schema({ k: "long" }) };
    const side = (name: "left" | "right") => ({ kind: "column", name: "k", side: name }) as const;
    const less = compileExpression(call("lt", [side("left"), side("right")]), scope);
    expect(less({ k: 1 }, { k: 2 })).toBe(true);
    expect(less({ k: 2 }, { k: 1 })).toBe(false);
  });
});

describe("compileCondition", () => {
  it("holds for true alone: NULL is not true", () => {
    const holds = compileCondition(call("gt", [col("a"), lit(1, "long")]), schema({ a: "long" }));
    expect([2, 1, null].map((a) => holds({ a }))).toEqual([true, false, false]);
  });
});
