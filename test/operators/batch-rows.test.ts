import { describe, expect, it } from "vitest";
import { rowBatch } from "../../lib/columns/column-batch.js";
import { expandRows, firstOf, keepRows } from "../../lib/operators/batch-rows.js";
import { placed, recordsOf } from "./batches.js";

const batch = placed([{ n: 0 }, { n: 1 }, { n: 2 }]);

describe("expandRows", () => {
  it("repeats the origin for every row that comes of one", () => {
    const expanded = expandRows(batch, (row) => Array.from({ length: row }, () => batch.row(row)));
    expect(expanded.rows()).toEqual([{ n: 1 }, { n: 2 }, { n: 2 }]);
    expect(recordsOf(expanded)).toEqual([1, 2, 2]);
  });

  it("gives no origins where there were none", () => {
    expect(expandRows(rowBatch([{ n: 1 }]), () => [{}]).origin(0)).toBeNull();
  });
});

describe("keepRows", () => {
  it("keeps origins with their rows", () => {
    const kept = keepRows(batch, (row) => row !== 1);
    expect([kept.rows(), recordsOf(kept)]).toEqual([
      [{ n: 0 }, { n: 2 }],
      [0, 2],
    ]);
  });

  it("returns the batch itself if nothing goes", () => {
    expect(keepRows(batch, () => true)).toBe(batch);
  });
});

describe("firstOf", () => {
  it("is the first rows, in order, and none of a count below zero", () => {
    expect(firstOf(batch, 2).rows()).toEqual([{ n: 0 }, { n: 1 }]);
    expect(firstOf(batch, -1).length).toBe(0);
    expect(firstOf(batch, 9)).toBe(batch);
  });
});
