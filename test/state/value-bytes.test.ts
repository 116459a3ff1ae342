import { describe, expect, it } from "vitest";
import { rowBytes, valueBytes } from "../../lib/state/value-bytes.js";

describe("the estimate of state bytes", () => {
  it("stays within the budget of 170 bytes for count and sum under a short key", () => {
    expect(rowBytes("/page/123456", [17, 123_456])).toBeLessThanOrEqual(170);
  });

  it("grows with what a value holds, at any depth", () => {
    expect(valueBytes({ list: ["x".repeat(1000)] })).toBeGreaterThan(1000);
    expect(valueBytes(new Uint8Array(500))).toBeGreaterThanOrEqual(500);
    expect(valueBytes([[1], [2], [3]])).toBeGreaterThan(valueBytes([[1]]));
    expect(valueBytes(null)).toBe(valueBytes(true));
  });
});
