import { describe, expect, it } from "vitest";
import { aggregateOf, resultOf } from "./grouping.js";

describe("minBy and maxBy", () => {
  const rows = [
    { v: "a", b: 2 },
    { v: "x", b: null },
    { v: null, b: 5 },
    { v: "c", b: 1 },
  ];

  it("return the value beside the extreme, which may be NULL; rows without a `by` do not count", () => {
    expect(resultOf(aggregateOf({ fn: "maxBy", by: true }, "string"), rows)).toBeNull();
    expect(resultOf(aggregateOf({ fn: "minBy", by: true }, "string"), rows)).toBe("c");
  });

  it("take the later of equals", () => {
    const equals = [
      { v: "first", b: 1 },
      { v: "second", b: 1 },
    ];
    expect(resultOf(aggregateOf({ fn: "maxBy", by: true }, "string"), equals)).toBe("second");
  });
});
