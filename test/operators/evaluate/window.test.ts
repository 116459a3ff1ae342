import { describe, expect, it } from "vitest";
import { windowsOf } from "../../../lib/operators/evaluate/window-of.js";
import { applied } from "./expressions.js";

const MINUTE = 60_000_000;
const grid = { size: 10 * MINUTE, slide: 5 * MINUTE, offset: 0 };

describe("windowsOf", () => {
  it("lists every window that holds the time, oldest first", () => {
    expect(windowsOf(360_000, grid)).toEqual([
      { start: 0, end: 600_000 },
      { start: 300_000, end: 900_000 },
    ]);
  });

  it("takes the last microsecond of a window as its time", () => {
    const tumbling = { size: 5 * MINUTE, slide: 5 * MINUTE, offset: 0 };
    expect(windowsOf({ start: 0, end: 300_000 }, tumbling)).toEqual([{ start: 0, end: 300_000 }]);
  });

  it("finds none for NULL and for what is no time", () => {
    expect([windowsOf(null, grid), windowsOf("soon", grid)]).toEqual([[], []]);
    expect(windowsOf("1970-01-01T00:06:00Z", grid)).toHaveLength(2);
  });

  it("windowTime is end - 1 µs", () => {
    expect(applied("windowTime", [[{ start: 0, end: 300_000 }, "window"]])).toBe(299_999.999);
  });
});
