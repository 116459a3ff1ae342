import { describe, expect, it } from "vitest";
import { relocate } from "../../lib/operators/relocate.js";
import { memoryState } from "../../lib/state/staged-state.js";
import type { TableSpec } from "../../lib/state/state-store.js";

const table: TableSpec = { operatorId: "agg", table: "groups", locate: "expiry" };

describe("relocate", () => {
  it("gives rows that never expired the expiry that they have now, and leaves those that have none", () => {
    const store = memoryState().stage().table<number>(table);
    store.put("10", 1, null);
    store.put("never", 2, null);
    store.put("30", 3, 30);
    relocate(store, (key) => (key === "never" ? null : Number(key)));
    expect([...store.rows()].map(({ key, expiry }) => [key, expiry])).toEqual(
      expect.arrayContaining([
        ["10", 10],
        ["never", null],
        ["30", 30],
      ]),
    );
    expect(store.size).toBe(3);
    expect([...store.lasting()].map(({ key }) => key)).toEqual(["never"]);
  });

  it("keeps rows for ever where nothing expires any more", () => {
    const store = memoryState().stage().table<number>(table);
    store.put("10", 1, 10);
    relocate(store, null);
    expect(store.get("10", null)).toBe(1);
    expect(store.expireThrough(Number.POSITIVE_INFINITY)).toBe(0);
  });
});
