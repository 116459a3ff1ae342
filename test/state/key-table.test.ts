import { describe, expect, it } from "vitest";
import { applyToKeyTable, dueRows, keyTable } from "../../lib/state/key-table.js";
import { type Change, NOTHING_EXPIRED, REMOVE, type TableDelta } from "../../lib/state/state-delta.js";

const MINUTE = 60_000_000;
const put = (order: number, value: unknown = order): Change => ({ kind: "put", value, fresh: true, order });
const delta = (rows: [number | null, string, Change][], expiredThrough = NOTHING_EXPIRED): TableDelta => {
  const changes: TableDelta["changes"] = new Map();
  for (const [expiry, key, change] of rows) changes.set(expiry, (changes.get(expiry) ?? new Map()).set(key, change));
  return { expiredThrough, changes };
};

describe("a table located by key", () => {
  it("lists rows in their order of insertion, whatever bucket they came from", () => {
    const table = keyTable(true);
    applyToKeyTable(
      table,
      delta([
        [2 * MINUTE, "p\u0000b", put(2)],
        [MINUTE, "p\u0000a", put(1)],
        [null, "p\u0000c", put(3)],
      ]),
    );
    expect([...table.rows.keys()]).toEqual(["p\u0000a", "p\u0000b", "p\u0000c"]);
    expect([...table.byPrefix!.get("p")!]).toEqual(["p\u0000a", "p\u0000b", "p\u0000c"]);
    expect(table.nextOrder).toBe(4);
  });

  it("moves a row between expiries without losing its place", () => {
    const table = keyTable(false);
    applyToKeyTable(
      table,
      delta([
        [MINUTE, "a", put(1)],
        [MINUTE, "b", put(2)],
      ]),
    );
    applyToKeyTable(
      table,
      delta([
        [MINUTE, "a", REMOVE],
        [9 * MINUTE, "a", put(1, "moved")],
      ]),
    );
    expect(dueRows(table, MINUTE).map(([key]) => key)).toEqual(["b"]);
    expect(dueRows(table, 9 * MINUTE).map(([key]) => key)).toEqual(["b", "a"]);
    expect(table.rows.get("a")).toEqual({ value: "moved", expiry: 9 * MINUTE, order: 1 });
  });

  it("finds what is due to the microsecond, though it indexes by the minute", () => {
    const table = keyTable(false);
    applyToKeyTable(
      table,
      delta([
        [MINUTE + 1, "later", put(1)],
        [MINUTE, "now", put(2)],
        [-1, "long ago", put(3)],
      ]),
    );
    expect(dueRows(table, MINUTE).map(([key]) => key)).toEqual(["long ago", "now"]);
  });

  it("keeps no index entry for what is gone", () => {
    const table = keyTable(true);
    applyToKeyTable(
      table,
      delta([
        [MINUTE, "p\u0000a", put(1)],
        [5 * MINUTE, "q\u0000b", put(2)],
      ]),
    );
    applyToKeyTable(table, delta([[5 * MINUTE, "q\u0000b", REMOVE]], MINUTE));
    expect([table.size, table.due.size, table.byPrefix!.size]).toEqual([0, 0, 0]);
  });

  it("ignores the removal of a row that stands elsewhere by now", () => {
    const table = keyTable(false);
    applyToKeyTable(table, delta([[5 * MINUTE, "a", put(1)]]));
    applyToKeyTable(table, delta([[MINUTE, "a", REMOVE]]));
    expect(table.rows.has("a")).toBe(true);
  });
});
