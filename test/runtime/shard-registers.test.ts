import { describe, expect, it } from "vitest";
import { NO_REGISTERS } from "../../lib/checkpoint/registers.js";
import {
  evidenceOf,
  isListed,
  recordHeartbeats,
  recordObservations,
  recordRead,
  recordShardList,
  recordSilence,
  settleSteps,
} from "../../lib/runtime/shard-registers.js";

const query = {
  sources: [
    { name: "in", schema: { fields: [] } },
    { name: "other", schema: { fields: [] } },
  ],
  watermarks: [
    { id: "w", delayMs: 0, sources: [0] },
    { id: "both", delayMs: 0, sources: [0, 1] },
    { id: "other", delayMs: 0, sources: [1] },
  ],
};

describe("shard registers", () => {
  it("only grow, whatever comes again or late", () => {
    const registers = recordRead(recordSilence(recordRead(NO_REGISTERS, "in/a", 10), "in/a", 50), "in/a", 20);
    expect(registers.perShard["in/a"]).toEqual({ readThrough: 50, newestArrival: 20, silentSince: 50, steps: {} });
    expect(recordSilence(registers, "in/a", 40).perShard["in/a"]).toEqual(registers.perShard["in/a"]);
  });

  it("keep what each watermark node saw; a source without arrivals counts at once", () => {
    const steps = [{ arrival: 5, maxEventTime: 70 }];
    const registers = recordObservations(NO_REGISTERS, query, [
      { node: 0, source: 0, shard: "a", maxEventTime: 70, steps },
      { node: 2, source: 1, shard: "b", maxEventTime: 80, steps: [] },
    ]);
    expect(registers.perShard["in/a"]!.steps).toEqual({ w: steps });
    expect(registers.perShard["other/b"]!.steps).toEqual({ other: [{ arrival: 0, maxEventTime: 80 }] });
  });

  it("take a heartbeat for every node above its source", () => {
    const beat = { source: "in", shard: "a", arrival: 5, eventTime: 90 };
    const { steps } = recordHeartbeats(NO_REGISTERS, query, [beat]).perShard["in/a"]!;
    expect(Object.keys(steps)).toEqual(["w", "both"]);
  });

  it("fold settled steps, and leave a shard that has none to fold as it is", () => {
    const steps = [1, 2, 3].map((arrival) => ({ arrival, maxEventTime: arrival * 10 }));
    const registers = recordObservations(NO_REGISTERS, query, [
      { node: 0, source: 0, shard: "a", maxEventTime: 30, steps },
    ]);
    expect(settleSteps(registers, ["in/a"], "w", 2).perShard["in/a"]!.steps["w"]).toEqual(steps.slice(1));
    expect(settleSteps(registers, ["in/a", "in/none"], "w", 1)).toBe(registers);
  });

  it("know the shards that were listed", () => {
    const registers = recordShardList(NO_REGISTERS, "in", [{ shard: "a", parents: [] }]);
    expect([isListed(registers, "in", "a"), isListed(registers, "in", "b"), isListed(registers, "x", "a")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("give no evidence before a listing that is needed; without a lister the shards seen are all", () => {
    const registers = recordRead(NO_REGISTERS, "in/a", 10);
    expect(evidenceOf(registers, "in", "w", true)).toBeNull();
    expect(evidenceOf(registers, "in", "w", false)).toMatchObject([{ name: "in/a", live: true, readThrough: 10 }]);
    expect(evidenceOf(recordRead(registers, "in2/b", 5), "in", "w", false)).toHaveLength(1);
    // TRIALS-2 E17: a shard that is not listed keeps what it has shown, and holds nothing back.
    const listed = recordShardList(recordRead(registers, "in/b", 20), "in", [{ shard: "b", parents: [] }]);
    expect(evidenceOf(listed, "in", "w", true)).toMatchObject([
      { name: "in/b", live: true, readThrough: 20 },
      { name: "in/a", live: false, readThrough: 10 },
    ]);
  });
});
