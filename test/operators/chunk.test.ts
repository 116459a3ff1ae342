import { describe, expect, it } from "vitest";
import { expandRows, keepRows } from "../../lib/operators/chunk.js";

const origin = [0, 1, 2].map((record) => ({ source: 0, record }));
const chunk = { rows: [{ n: 0 }, { n: 1 }, { n: 2 }], origin };

describe("expandRows", () => {
  it("repeats the origin for every row that comes of one", () => {
    const { rows, origin: from } = expandRows(chunk, (row) => Array.from({ length: row["n"] as number }, () => row));
    expect(rows).toEqual([{ n: 1 }, { n: 2 }, { n: 2 }]);
    expect(from).toEqual([origin[1], origin[2], origin[2]]);
  });
});

describe("keepRows", () => {
  it("keeps origins beside their rows", () => {
    expect(keepRows(chunk, (row) => row["n"] !== 1)).toEqual({
      rows: [{ n: 0 }, { n: 2 }],
      origin: [origin[0], origin[2]],
    });
  });

  it("returns the chunk itself if nothing goes, and no origins where there were none", () => {
    expect(keepRows(chunk, () => true)).toBe(chunk);
    expect(keepRows({ rows: chunk.rows, origin: null }, () => false)).toEqual({ rows: [], origin: null });
  });
});
