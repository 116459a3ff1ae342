import { describe, expect, it } from "vitest";
import { applyToExpiryTable, compareExpiry, expiriesThrough, expiryTable } from "../../lib/state/expiry-table.js";
import { type Change, REMOVE, type TableDelta } from "../../lib/state/state-delta.js";

const put = (value: unknown, fresh: boolean): Change => ({ kind: "put", value, fresh, order: 0 });
const delta = (expiredThrough: number, rows: [number | null, string, Change][]): TableDelta => {
  const changes: TableDelta["changes"] = new Map();
  for (const [expiry, key, change] of rows) changes.set(expiry, (changes.get(expiry) ?? new Map()).set(key, change));
  return { expiredThrough, changes };
};

describe("a table located by expiry", () => {
  it("keeps one key under several expiries, and counts them", () => {
    const table = expiryTable();
    applyToExpiryTable(
      table,
      delta(-1, [
        [1, "k", put("a", true)],
        [2, "k", put("b", true)],
        [null, "k", put("c", true)],
      ]),
    );
    expect(table.size).toBe(3);
    expect([1, 2, null].map((expiry) => table.buckets.get(expiry)!.get("k"))).toEqual(["a", "b", "c"]);
  });

  it("expires first and changes afterwards: a late row may still be put", () => {
    const table = expiryTable();
    applyToExpiryTable(
      table,
      delta(-1, [
        [1, "old", put(1, true)],
        [5, "kept", put(2, true)],
      ]),
    );
    applyToExpiryTable(table, delta(3, [[1, "late", put(3, true)]]));
    expect([...table.buckets.get(1)!]).toEqual([["late", 3]]);
    expect(table.size).toBe(2);
  });

  it("leaves an updated row in its place, moves one that is fresh to the end, and drops empty buckets", () => {
    const table = expiryTable();
    applyToExpiryTable(
      table,
      delta(-1, [
        [1, "a", put(1, true)],
        [1, "b", put(2, true)],
        [2, "c", put(3, true)],
      ]),
    );
    applyToExpiryTable(
      table,
      delta(-1, [
        [1, "a", put(10, false)],
        [2, "c", REMOVE],
      ]),
    );
    expect([...table.buckets.get(1)!.keys()]).toEqual(["a", "b"]);
    applyToExpiryTable(table, delta(-1, [[1, "a", put(11, true)]]));
    expect([...table.buckets.get(1)!.keys()]).toEqual(["b", "a"]);
    expect(table.buckets.has(2)).toBe(false);
    expect(table.size).toBe(2);
  });

  it("orders expiries ascending, those that never come last", () => {
    expect([null, 2, -1, null, 1].sort(compareExpiry)).toEqual([-1, 1, 2, null, null]);
    expect(expiriesThrough([null, 3, 1, 2], 2)).toEqual([1, 2]);
  });
});
