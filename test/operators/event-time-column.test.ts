import { describe, expect, it } from "vitest";
import { boundOf, eventTimeOf, isLate } from "../../lib/operators/event-time-column.js";

const TS = { name: "ts", type: "timestamp" } as const;
const WINDOW = { name: "w", type: "window" } as const;
const row = { ts: 12.345, w: { start: 0, end: 10 } };

describe("event-time columns", () => {
  it("read a timestamp as it is and a window at its last instant", () => {
    expect(eventTimeOf(TS, row)).toBe(12.345);
    expect(eventTimeOf(WINDOW, row)).toBe(9.999);
    expect(eventTimeOf(TS, {})).toBeNull();
  });

  it("are compared by the timestamp, or by the end of the window, in microseconds", () => {
    expect(boundOf(TS, row)).toBe(12_345);
    expect(boundOf(WINDOW, row)).toBe(10_000);
    expect(boundOf(WINDOW, { w: null })).toBeNull();
  });

  it("are late at the watermark, and never when NULL or before the first watermark", () => {
    expect(isLate(10_000, 10)).toBe(true);
    expect(isLate(10_001, 10)).toBe(false);
    expect(isLate(null, 10)).toBe(false);
    expect(isLate(-1e15, Number.NEGATIVE_INFINITY)).toBe(false);
  });
});
