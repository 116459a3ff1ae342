import { describe, expect, it } from "vitest";
import { aggregateOf, resultOf, values } from "./grouping.js";

describe("avg", () => {
  it("is a double, skips NULL, and is NULL of nothing", () => {
    expect(resultOf(aggregateOf({ fn: "avg" }, "long"), values(1, null, 2))).toBe(1.5);
    expect(resultOf(aggregateOf({ fn: "avg" }, "long"), values(null))).toBeNull();
  });
});
