import { describe, expect, it } from "vitest";
import { NO_REGISTERS, type Registers, type ShardInfo } from "../../lib/checkpoint/registers.js";
import { retireShards } from "../../lib/runtime/retire-shards.js";
import { recordRead, recordShardList, recordSilence, recordSteps } from "../../lib/runtime/shard-registers.js";

const query = { watermarks: [{ id: "w", delayMs: 10, sources: [0] }] };
const info = (shard: string, ...parents: string[]): ShardInfo => ({ shard, parents });

/** A record of `shard` with that event time, read. */
const read = (registers: Registers, shard: string, arrival: number, eventTime: number): Registers =>
  recordSteps(recordRead(registers, `in/${shard}`, arrival), `in/${shard}`, "w", [
    { arrival, maxEventTime: eventTime },
  ]);

/** `p` split into `c` and `d`; `p` and `c` were read, `d` was seen empty; all that `p` showed is behind the watermark. */
const split = (): Registers => {
  const listed = recordShardList(NO_REGISTERS, "in", [info("p"), info("c", "p"), info("d", "p")]);
  const seen = recordSilence(read(read(listed, "p", 100, 1_000), "c", 300, 4_000), "in/d", 300);
  return { ...seen, perNodeWatermark: { w: 990 } };
};
const CHILDREN = [info("c", "p"), info("d", "p")];
const retire = (registers: Registers, listed: readonly ShardInfo[] = CHILDREN) =>
  retireShards(registers, query, "in", listed);

describe("a closed shard that the source no longer lists", () => {
  it("retires: its id and newest arrival are all that stays of it", () => {
    const { perShard, shardList, retired } = retire(split());
    expect(retired).toEqual({ "in/p": 100 });
    expect(Object.keys(perShard)).toEqual(["in/c", "in/d"]);
    expect(shardList["in"]).toEqual(CHILDREN);
  });

  it("does not while it is listed", () => {
    const registers = split();
    expect(retire(registers, [info("p"), ...CHILDREN])).toBe(registers);
  });

  it("waits for a child's record, or a look that found it closed", () => {
    const listed = recordShardList(NO_REGISTERS, "in", [info("p"), ...CHILDREN]);
    const silent = recordSilence(recordSilence(listed, "in/c", 300), "in/d", 300);
    expect(retire(silent)).toBe(silent);
    const marked = { ...silent, shardList: { in: [{ ...info("p"), drained: true as const }, ...CHILDREN] } };
    expect(retire(marked).retired).toEqual({ "in/p": 0 });
  });

  it("waits for every child to stand on a register of its own: the silent one starts where it ended", () => {
    const { "in/d": _, ...perShard } = split().perShard;
    const registers = { ...split(), perShard };
    expect(retire(registers)).toBe(registers);
  });

  it("waits for its parents to be drained, for it may be what shows that", () => {
    const silent = recordShardList(NO_REGISTERS, "in", [info("g"), info("p", "g"), info("c", "p")]);
    const registers = { ...read(silent, "c", 300, 4_000), perNodeWatermark: { w: 990 } };
    expect(retire(registers, [info("g"), info("c", "p")])).toBe(registers);
  });

  it("waits until the watermark has all it showed behind it", () => {
    const early = { ...split(), perNodeWatermark: { w: 989 } };
    expect(retire(early)).toBe(early);
    const none = { ...split(), perNodeWatermark: {} };
    expect(retire(none)).toBe(none);
  });

  it("waits until a listed shard has shown an event time and an arrival as late", () => {
    const slow = { ...read(split(), "p", 100, 4_001), perNodeWatermark: { w: 5_000 } };
    expect(retire(slow)).toBe(slow);
    expect(retire(read(slow, "d", 310, 4_001)).retired).toEqual({ "in/p": 100 });
    const recent = recordRead(split(), "in/p", 301);
    expect(retire(recent)).toBe(recent);
  });

  it("leaves those that it showed to be drained marked so", () => {
    const lineage = [info("g"), info("p", "g"), ...CHILDREN];
    const registers = recordShardList(split(), "in", lineage);
    const { shardList, retired } = retire(registers, [info("g"), ...CHILDREN]);
    expect(Object.keys(retired)).toEqual(["in/p"]);
    expect(shardList["in"]).toContainEqual({ ...info("g"), drained: true });
  });

  it("retires beside others, and among the shards of other sources", () => {
    const registers = { ...split(), retired: { "in/before": 5 } };
    const both = recordRead(recordShardList(registers, "in2", [info("p")]), "in2/p", 7);
    const { retired, perShard, shardList } = retire(both);
    expect(retired).toEqual({ "in/before": 5, "in/p": 100 });
    expect(perShard["in2/p"]).toBeDefined();
    expect(shardList["in2"]).toEqual([info("p")]);
  });
});

describe("a retired shard", () => {
  const registers = retire(split());

  it("does not come back with a listing that still names it", () => {
    const listed = recordShardList(registers, "in", [info("p"), ...CHILDREN]);
    expect(listed.shardList["in"]).toEqual(CHILDREN);
  });

  it("does not come back with a record or a look", () => {
    expect(read(recordSilence(registers, "in/p", 900), "p", 900, 9_000)).toBe(registers);
  });
});
