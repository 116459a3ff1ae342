import { describe, expect, it } from "vitest";
import { NO_WATERMARK } from "../../lib/time/event-time.js";
import { advanceGlobal, advanceNode, combineWatermarks } from "../../lib/time/watermark.js";

describe("watermarks", () => {
  it("of no node there is none", () => {
    expect(combineWatermarks("min", [])).toBe(NO_WATERMARK);
  });

  it("min waits for a node that saw nothing, max does not", () => {
    expect(combineWatermarks("min", [10, NO_WATERMARK])).toBe(NO_WATERMARK);
    expect(combineWatermarks("max", [10, NO_WATERMARK])).toBe(10);
  });

  it("a node's is whole milliseconds, less the delay, and never goes back", () => {
    expect(advanceNode(NO_WATERMARK, 100.999, 10)).toBe(90);
    expect(advanceNode(90, 50, 10)).toBe(90);
    expect(advanceNode(NO_WATERMARK, -0.5, 0)).toBe(-1);
  });

  it("the global one never goes back, whatever the nodes say", () => {
    expect(advanceGlobal(50, "min", [10, 20])).toBe(50);
    expect(advanceGlobal(5, "min", [10, 20])).toBe(10);
  });
});
