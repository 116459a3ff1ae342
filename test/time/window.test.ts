import { describe, expect, it } from "vitest";
import { forEachWindowStart, isWindow, lastInstantOf, windowAt } from "../../lib/time/window.js";

const starts = (time: number, size: number, slide: number, offset = 0): number[] => {
  const found: number[] = [];
  forEachWindowStart(time, size, slide, offset, (start) => found.push(start));
  return found;
};

describe("forEachWindowStart", () => {
  it("is half-open: a time at a bound belongs to the window that begins there", () => {
    expect(starts(10, 10, 10)).toEqual([10]);
    expect(starts(9, 10, 10)).toEqual([0]);
  });

  it("gives overlapping windows newest first", () => {
    expect(starts(12, 10, 5)).toEqual([10, 5]);
    expect(starts(10, 10, 5)).toEqual([10, 5]);
  });

  it("shifts the grid by the offset, and goes on below the epoch", () => {
    expect(starts(12, 10, 10, 3)).toEqual([3]);
    expect(starts(-1, 10, 10)).toEqual([-10]);
  });

  it("comes to an end where doubles are coarser than the slide", () => {
    expect(starts(250_000_000_000_000_000, 100, 10).length).toBeLessThanOrEqual(10);
  });
});

describe("a window", () => {
  it("has bounds in milliseconds, and its last microsecond as its time", () => {
    const window = windowAt(0, 5_000_000);
    expect(window).toEqual({ start: 0, end: 5000 });
    expect(lastInstantOf(window)).toBe(4999.999);
  });

  it("is no object that happens to have a start", () => {
    expect(isWindow({ start: 0, end: 1 })).toBe(true);
    expect([null, { start: 0 }, { start: "0", end: 1 }].some(isWindow)).toBe(false);
  });
});
