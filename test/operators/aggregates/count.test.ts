import { describe, expect, it } from "vitest";
import { aggregator } from "../../../lib/operators/aggregates/aggregator.js";
import { aggregateOf, resultOf, values } from "./grouping.js";

describe("count", () => {
  it("counts the values that are not NULL", () => {
    expect(resultOf(aggregateOf({ fn: "count" }, "long"), values(1, null, 0))).toBe(2);
    expect(resultOf(aggregateOf({ fn: "count" }, "long"), [])).toBe(0);
  });

  it("without a column counts rows", () => {
    const group = aggregator([{ as: "out", fn: "count", type: "long" }], { fields: [] });
    expect(resultOf(group, [{}, {}])).toBe(2);
  });
});
