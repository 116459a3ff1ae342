import { describe, expect, it } from "vitest";
import { acrossAuto, acrossMax, acrossMin, type ShardEvidence } from "../../lib/time/shard-watermark.js";

const shard = (
  name: string,
  readThrough: number,
  steps: readonly (readonly [number, number])[],
  more: Partial<ShardEvidence> = {},
): ShardEvidence => ({
  name,
  live: true,
  readThrough,
  newestArrival: readThrough,
  silentSince: readThrough,
  steps: steps.map(([arrival, maxEventTime]) => ({ arrival, maxEventTime })),
  ...more,
});

const fast = shard("fast", 30, [
  [10, 100],
  [20, 200],
  [30, 300],
]);
const slow = shard("slow", 20, [[15, 50]]);
const unread = shard("unread", Number.NEGATIVE_INFINITY, []);

describe("across: max", () => {
  it("is the highest event time that was read, whatever the lag", () => {
    expect(acrossMax([fast, slow, unread])).toEqual({ highest: 300, heldBackBy: null });
  });
});

describe("across: auto", () => {
  it("is what had arrived when the slowest shard was last read", () => {
    expect(acrossAuto([fast, slow])).toEqual({ highest: 200, heldBackBy: "slow" });
  });

  it("waits for a shard that was never read", () => {
    expect(acrossAuto([fast, unread])).toEqual({ highest: null, heldBackBy: "unread" });
  });

  it("reads the steps of a drained shard and does not wait for it", () => {
    expect(acrossAuto([fast, { ...slow, live: false }])).toEqual({ highest: 300, heldBackBy: null });
    expect(acrossAuto([slow, { ...fast, live: false }])).toEqual({ highest: 200, heldBackBy: "slow" });
  });
});

describe("across: min", () => {
  it("is the lowest of the shards' highest event times", () => {
    expect(acrossMin([fast, slow], null)).toEqual({ highest: 50, heldBackBy: "slow" });
  });

  it("leaves out a shard that was seen empty for idleTimeout after its newest record", () => {
    const idle = { ...slow, readThrough: 80, silentSince: 20 };
    expect(acrossMin([fast, idle], 61)).toEqual({ highest: 50, heldBackBy: "slow" });
    expect(acrossMin([fast, idle], 60)).toEqual({ highest: 300, heldBackBy: null });
  });

  it("takes the maximum when all are idle", () => {
    const idle = (given: ShardEvidence) => ({ ...given, readThrough: 1_000, silentSince: 0 });
    expect(acrossMin([idle(fast), idle(slow)], 60).highest).toBe(300);
  });
});
