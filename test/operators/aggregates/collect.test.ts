import { describe, expect, it } from "vitest";
import { add } from "../batches.js";
import { aggregateOf, resultOf, values } from "./grouping.js";

describe("collectList", () => {
  it("keeps arrival order and repeats, without NULLs", () => {
    expect(resultOf(aggregateOf({ fn: "collectList" }, "long"), values(2, null, 1, 2))).toEqual([2, 1, 2]);
    expect(resultOf(aggregateOf({ fn: "collectList" }, "long"), values(null))).toEqual([]);
  });

  it("TRIALS-2 E14: merges lists of any length", () => {
    const group = aggregateOf({ fn: "collectList" }, "long");
    const long = Array.from({ length: 200_000 }, (_, i) => i);
    const merged = group.create();
    group.merge(merged, [long]);
    group.merge(merged, [long]);
    expect((merged[0] as unknown[]).length).toBe(400_000);
  });

  it("does not change what is stored while the group is open", () => {
    const group = aggregateOf({ fn: "collectList" }, "long");
    const sealed = group.create();
    add(group, sealed, { v: 1 });
    group.seal(sealed);
    add(group, group.open(sealed), { v: 2 });
    expect(sealed).toEqual([[1]]);
  });
});

describe("collectSet and countDistinct", () => {
  it("keep each value once, by value and not by identity", () => {
    const window = { start: 0, end: 1 };
    expect(resultOf(aggregateOf({ fn: "collectSet" }, "window"), values(window, { ...window }, null))).toEqual([
      window,
    ]);
    expect(resultOf(aggregateOf({ fn: "countDistinct" }, "long"), values(1, 1n, 2, null, 2))).toBe(2);
  });
});
