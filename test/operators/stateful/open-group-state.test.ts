import { describe, expect, it } from "vitest";
import { openGroupState, type StoredGroup } from "../../../lib/operators/stateful/open-group-state.js";
import { scopeFor } from "./scope-for.js";

const pass = { ...scopeFor("").scope.pass!, watermarkForEviction: 100, processingTime: 5000 };
const open = (stored?: StoredGroup, mode: "none" | "eventTime" | "processingTime" = "eventTime") =>
  openGroupState(stored, pass, mode, false);

describe("openGroupState", () => {
  it("shows the stored state, then what the call made of it", () => {
    const { handle, left } = open({ state: 7, timeout: 5 });
    expect([handle.exists, handle.get()]).toEqual([true, 7]);
    handle.update(8);
    expect([handle.getOption(), left.updated]).toEqual([8, true]);
    handle.remove();
    expect([handle.exists, handle.getOption(), left.removed, left.updated]).toEqual([false, null, true, false]);
    expect(() => handle.get()).toThrow(/state-missing/);
  });

  it("clears the timeout unless the call sets one", () => {
    const kept = open({ state: 1, timeout: 5 });
    expect(kept.left.timeout).toBeNull();
    kept.handle.setTimeoutTimestamp(100.5);
    expect(kept.left.timeout).toBe(100_500);
  });

  it("refuses a timeout at the watermark and one of the other mode", () => {
    expect(() => open().handle.setTimeoutTimestamp(100)).toThrow(/timeout-in-the-past.*100/);
    expect(() => open().handle.setTimeoutDuration(5)).toThrow(/timeout-mode/);
    expect(() => open(undefined, "none").handle.setTimeoutTimestamp(500)).toThrow(/timeout-mode/);
  });

  it("counts a duration from the processing time of the pass", () => {
    const { handle, left } = open(undefined, "processingTime");
    handle.setTimeoutDuration(10);
    expect(left.timeout).toBe(5_010_000);
    expect(() => handle.setTimeoutDuration(0)).toThrow(/timeout-in-the-past/);
  });
});
