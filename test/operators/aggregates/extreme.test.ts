import { describe, expect, it } from "vitest";
import { aggregateOf, resultOf, values } from "./grouping.js";

const extremes = (type: "long" | "string" | "double", ...list: unknown[]) =>
  (["min", "max"] as const).map((fn) => resultOf(aggregateOf({ fn }, type), values(...list)));

describe("min and max", () => {
  it("skip NULL, and are NULL of nothing else", () => {
    expect(extremes("long", 3, null, -1, 2)).toEqual([-1, 3]);
    expect(extremes("long", null)).toEqual([null, null]);
  });

  it("compare texts by UTF-8 bytes", () => {
    expect(extremes("string", "\ufffd", "😀", "a")).toEqual(["a", "😀"]);
  });

  it("compare longs beyond 2^53 exactly", () => {
    expect(extremes("long", 9007199254740993n, 9007199254740994n)).toEqual([9007199254740993n, 9007199254740994n]);
  });
});
