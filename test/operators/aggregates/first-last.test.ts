import { describe, expect, it } from "vitest";
import { aggregateOf, resultOf, values } from "./grouping.js";

const ends = (ignoreNulls: boolean, ...list: unknown[]) =>
  (["first", "last"] as const).map((fn) =>
    resultOf(aggregateOf({ fn, ...(ignoreNulls ? { ignoreNulls: true as const } : {}) }, "long"), values(...list)),
  );

describe("first and last", () => {
  it("take NULL for a value, in arrival order", () => {
    expect(ends(false, null, 1, 2, null)).toEqual([null, null]);
    expect(ends(false, 3, null, 1)).toEqual([3, 1]);
  });

  it("skip NULL where asked to", () => {
    expect(ends(true, null, 1, 2, null)).toEqual([1, 2]);
    expect(ends(true, null)).toEqual([null, null]);
  });
});
