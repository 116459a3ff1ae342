import { describe, expect, it } from "vitest";
import { aggregator } from "../../../lib/operators/aggregates/aggregator.js";
import type { Row } from "../../../lib/plan/schema.js";
import { add } from "../batches.js";

describe("aggregator", () => {
  it("keeps all aggregates of a group in one flat array, and writes them in order", () => {
    const value = { kind: "column", name: "v" } as const;
    const group = aggregator(
      [
        { as: "n", fn: "count", type: "long" },
        { as: "mean", fn: "avg", value, type: "double" },
        { as: "top", fn: "max", value, type: "long" },
      ],
      { fields: [{ name: "v", type: "long", nullable: true }] },
    );
    const accumulator = group.create();
    for (const v of [1, 2, 6]) add(group, accumulator, { v });
    expect(accumulator).toEqual([3, 9, 3, 6]);
    const row: Row = {};
    group.finish(accumulator, row);
    expect(row).toEqual({ n: 3, mean: 3, top: 6 });
    expect(Object.keys(row)).toEqual(["n", "mean", "top"]);
  });
});
