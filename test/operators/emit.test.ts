import { describe, expect, it } from "vitest";
import { emitGroups } from "../../lib/operators/emit.js";
import type { OutputMode } from "../../lib/plan/logical-plan.js";
import { memoryState } from "../../lib/state/staged-state.js";

const emitted = (outputMode: OutputMode, evictThrough: number | null) => {
  const store = memoryState().stage().table<number>({ operatorId: "o", table: "t", locate: "expiry" });
  for (const expiry of [30, 10, 20]) store.put(`k${expiry}`, expiry, expiry);
  const touched = [{ key: "k30", value: 30, expiry: 30 }];
  const keys: unknown[] = [];
  const groups = emitGroups(outputMode, { store, touched, evictThrough }, ({ key }) => ({ key }));
  let next = groups.next();
  for (; next.done !== true; next = groups.next()) keys.push(...next.value.rows().map(({ key }) => key));
  return { keys, removed: next.value, left: store.size };
};

describe("emitGroups", () => {
  it("append: what the watermark closes, in order of expiry, and it is gone", () => {
    expect(emitted("append", 20)).toEqual({ keys: ["k10", "k20"], removed: 2, left: 1 });
  });

  it("update: what was touched; what closes goes silently", () => {
    expect(emitted("update", 20)).toEqual({ keys: ["k30"], removed: 2, left: 1 });
  });

  it("complete: everything, and nothing goes", () => {
    expect(emitted("complete", 20)).toEqual({ keys: ["k10", "k20", "k30"], removed: 0, left: 3 });
  });

  it("append without event time emits nothing", () => {
    expect(emitted("append", null)).toEqual({ keys: [], removed: 0, left: 3 });
  });
});
