import { describe, expect, it } from "vitest";
import type { Registers } from "../../lib/checkpoint/registers.js";
import { NO_REGISTERS } from "../../lib/checkpoint/registers.js";
import { advanceWatermark, type WatermarkRules } from "../../lib/runtime/query-watermark.js";
import {
  recordDrained,
  recordRead,
  recordShardList,
  recordSilence,
  recordSteps,
} from "../../lib/runtime/shard-registers.js";
import { NO_WATERMARK } from "../../lib/time/event-time.js";
import type { Across } from "../../lib/time/shard-watermark.js";

const query = {
  sources: [{ name: "in", schema: { fields: [] } }],
  watermarks: [{ id: "w", delayMs: 10, sources: [0] }],
};

const rules = (across: Across, more: Partial<WatermarkRules> = {}): WatermarkRules => ({
  policy: "min",
  sources: new Map([["in", { across, idleTimeoutMs: 100, maxFutureSkewMs: null }]]),
  listed: new Set(["in"]),
  closeOnIdleMs: null,
  ...more,
});

const listed = (...shards: (string | [string, ...string[]])[]): Registers => list(NO_REGISTERS, ...shards);
const list = (registers: Registers, ...shards: (string | [string, ...string[]])[]): Registers =>
  recordShardList(
    registers,
    "in",
    shards.map((spec) => {
      const [shard, ...parents] = typeof spec === "string" ? [spec] : spec;
      return { shard: shard!, parents };
    }),
  );

/** A record of `shard` with that event time, read. */
const read = (registers: Registers, shard: string, arrival: number, eventTime: number): Registers =>
  recordSteps(recordRead(registers, `in/${shard}`, arrival), `in/${shard}`, "w", [
    { arrival, maxEventTime: eventTime },
  ]);

const watermark = (registers: Registers, across: Across = "auto", more: Partial<WatermarkRules> = {}) =>
  advanceWatermark(query, rules(across, more), registers, NO_WATERMARK);

describe("the watermark across shards", () => {
  it("stands still until the shards are listed, and says why", () => {
    const registers = read(NO_REGISTERS, "a", 100, 1_000);
    expect(watermark(registers)).toMatchObject({ watermark: NO_WATERMARK, heldBackBy: "in/*" });
    expect(watermark(registers, "max").watermark).toBe(990);
  });

  it("is Spark's maximum with one shard", () => {
    expect(watermark(read(listed("a"), "a", 100, 1_000))).toMatchObject({ watermark: 990, heldBackBy: null });
  });

  it("counts what arrived by the slowest shard's last read, under auto", () => {
    let registers = read(read(listed("a", "b"), "a", 100, 1_000), "a", 200, 2_000);
    expect(watermark(registers)).toMatchObject({ watermark: NO_WATERMARK, heldBackBy: "in/b" });
    registers = read(registers, "b", 150, 500);
    expect(watermark(registers)).toMatchObject({ watermark: 990, heldBackBy: "in/b" });
    registers = recordSilence(registers, "in/b", 300);
    expect(watermark(registers)).toMatchObject({ watermark: 1_990, heldBackBy: null });
  });

  it("is the minimum over shards that are not idle, under min", () => {
    let registers = read(read(listed("a", "b"), "a", 100, 1_000), "b", 110, 500);
    expect(watermark(registers, "min")).toMatchObject({ watermark: 490, heldBackBy: "in/b" });
    registers = recordSilence(registers, "in/b", 209);
    expect(watermark(registers, "min").watermark).toBe(490);
    registers = recordSilence(registers, "in/b", 210);
    expect(watermark(registers, "min")).toMatchObject({ watermark: 990, heldBackBy: null });
  });

  it("never goes back, whatever the evidence", () => {
    const registers = read(listed("a"), "a", 100, 1_000);
    const first = watermark(registers);
    const next = advanceWatermark(query, rules("auto"), { ...first.registers, perShard: {} }, first.watermark);
    expect(next.watermark).toBe(990);
    expect(next.registers.perNodeWatermark).toEqual({ w: 990 });
  });

  it("keeps few steps: what every shard has passed is one", () => {
    let registers = listed("a");
    for (let at = 1; at <= 50; at++) registers = read(registers, "a", at, at * 10);
    expect(watermark(registers).registers.perShard["in/a"]!.steps["w"]).toEqual([{ arrival: 50, maxEventTime: 500 }]);
  });
});

describe("a reshard", () => {
  const parent = read(read(listed("p", "q"), "p", 100, 1_000), "q", 120, 900);

  it("starts a child at the lowest of its parents", () => {
    const merged = list(parent, "p", "q", ["c", "p", "q"]);
    expect(watermark(merged)).toMatchObject({ watermark: 990 });
    const readOn = read(read(merged, "p", 200, 3_000), "q", 210, 900);
    expect(watermark(readOn).watermark).toBe(2_990);
  });

  it("lets drained parents go with the child's first record", () => {
    const child = read(list(parent, "p", "q", ["c", "p", "q"]), "c", 300, 4_000);
    expect(watermark(child)).toMatchObject({ watermark: 3_990, heldBackBy: null });
  });

  it("holds for the silent child of a split, where its parent ended", () => {
    const split = read(list(parent, "p", "q", ["c", "p"], ["d", "p"]), "c", 300, 4_000);
    const caughtUp = recordSilence(split, "in/q", 300);
    expect(watermark(caughtUp)).toMatchObject({ watermark: 990, heldBackBy: "in/d" });
    expect(watermark(recordSilence(caughtUp, "in/d", 300)).watermark).toBe(3_990);
  });

  it("lets a closed parent go only once its children are listed", () => {
    expect(recordDrained(parent, "in", "p").shardList["in"]).toEqual(parent.shardList["in"]);
    const known = recordDrained(list(parent, "p", "q", ["c", "p"]), "in", "p");
    const others = recordSilence(recordSilence(known, "in/q", 300), "in/c", 300);
    expect(watermark(read(others, "q", 310, 2_000))).toMatchObject({ heldBackBy: "in/c" });
    expect(watermark(others)).toMatchObject({ watermark: 990, heldBackBy: null });
  });

  it("keeps a drained parent that the stream no longer lists, and what it showed, and is not held by it", () => {
    const child = read(list(parent, "p", "q", ["c", "p", "q"]), "c", 300, 500);
    const later = list(child, ["c", "p", "q"]);
    expect(later.shardList["in"]!.map(({ shard }) => shard)).toEqual(["p", "q", "c"]);
    expect(watermark(later)).toMatchObject({ watermark: 990, heldBackBy: null });
  });
});

describe("two sources under policy min", () => {
  it("name the one that never had a row", () => {
    const two = {
      sources: [...query.sources, { name: "quiet", schema: { fields: [] } }],
      watermarks: [...query.watermarks, { id: "q", delayMs: 0, sources: [1] }],
    };
    const max = { across: "max" as const, idleTimeoutMs: null, maxFutureSkewMs: null };
    const both = new Map([
      ["in", max],
      ["quiet", max],
    ]);
    const advance = (policy: "min" | "max") =>
      advanceWatermark(two, rules("max", { policy, sources: both }), read(NO_REGISTERS, "a", 100, 1_000), NO_WATERMARK);
    expect(advance("min")).toMatchObject({ watermark: NO_WATERMARK, heldBackBy: "quiet/*" });
    expect(advance("max")).toMatchObject({ watermark: 990, heldBackBy: null });
  });
});

describe("closeOnIdle", () => {
  it("lets event time go on with the clock once every live shard is silent for long enough", () => {
    const more = { closeOnIdleMs: 50 };
    const registers = read(read(listed("a", "b"), "a", 100, 1_000), "b", 110, 500);
    const one = recordSilence(registers, "in/a", 200);
    expect(watermark(one, "auto", more).watermark).toBe(990);
    const both = recordSilence(one, "in/b", 170);
    expect(watermark(both, "auto", more)).toMatchObject({ watermark: 1_050, heldBackBy: null });
  });
});
