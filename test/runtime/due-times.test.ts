import { describe, expect, it } from "vitest";
import { dueTimes } from "../../lib/runtime/due-times.js";
import { memoryState } from "../../lib/state/staged-state.js";
import type { TableSpec } from "../../lib/state/state-store.js";

const windows: TableSpec = { operatorId: "agg", table: "groups", locate: "expiry" };
const timers: TableSpec = { operatorId: "tws", table: "timers", locate: "key", clock: "processingTime" };
const keys: TableSpec = { operatorId: "dedupe", table: "keys", locate: "key" };

describe("when state is due", () => {
  it("is never, while there is none", () => {
    expect(dueTimes([windows, timers, keys], memoryState().stage())).toEqual({ oldestExpiry: null, nextTimer: null });
  });

  it("is at the first window's end and at the first timer, a whole millisecond not before it", () => {
    const staged = memoryState().stage();
    staged.table(windows).put("b", 1, 9_000);
    staged.table(windows).put("a", 1, 5_000);
    staged.table(timers).put("x", 1, 70_001);
    staged.table(timers).put("y", 1, 80_000);
    staged.table(timers).put("z", 1, null);
    staged.table(keys).put("k", 1, 1_000);
    expect(dueTimes([windows, timers, keys], staged)).toEqual({ oldestExpiry: 5_000, nextTimer: 71 });
  });
});
