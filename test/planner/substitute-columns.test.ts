import { describe, expect, it } from "vitest";
import { columnsOf, substitute } from "../../lib/planner/substitute-columns.js";
import { col, fn, long } from "./plans.js";

const definitions = [
  { name: "a", value: col("x"), type: "long" },
  { name: "b", value: fn("add", col("x"), long(1)), type: "long" },
  { name: "f", value: { function: "f" }, type: "long" },
  { name: "w", value: fn("windowOf", col("t")), type: "window" },
] as const;

describe("substitute", () => {
  it("replaces columns by what defines them, at any depth", () => {
    expect(substitute(fn("eq", col("a"), col("b")), definitions)).toEqual(
      fn("eq", col("x"), fn("add", col("x"), long(1))),
    );
  });

  it("goes on along a path", () => {
    expect(substitute({ kind: "column", name: "a", path: ["p"] }, definitions)).toEqual({
      kind: "column",
      name: "x",
      path: ["p"],
    });
  });

  it("gives up at functions, windows, computed paths and unknown columns", () => {
    for (const expression of [col("f"), col("w"), { kind: "column", name: "b", path: ["p"] } as const, col("nope")]) {
      expect(substitute(fn("isNull", expression), definitions)).toBeNull();
    }
  });
});

describe("columnsOf", () => {
  it("names every column once", () => {
    expect([...columnsOf(fn("eq", col("a"), fn("add", col("b"), col("a"))))]).toEqual(["a", "b"]);
  });
});
