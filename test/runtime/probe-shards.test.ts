import { describe, expect, it } from "vitest";
import { NO_REGISTERS, type Registers } from "../../lib/checkpoint/registers.js";
import type { PartitionPosition } from "../../lib/checkpoint/state-partition.js";
import { hasNewShards, probeShards } from "../../lib/runtime/probe-shards.js";
import type { QueryRuntime } from "../../lib/runtime/query-runtime.js";
import type { SourcePolicy } from "../../lib/runtime/source-policy.js";
import { type MemoryShard, memoryShardLister } from "../../lib/sources/memory-shard-lister.js";

const NOW = 1_000_000;
const shard = (name: string, more: Partial<MemoryShard> = {}): MemoryShard => ({
  shard: name,
  parents: [],
  sequences: [],
  ...more,
});

/** One look at these shards, all that was read before standing in `registers`. */
function look(
  shards: readonly MemoryShard[],
  registers: Partial<Registers> = {},
  across: SourcePolicy["across"] = "auto",
): Promise<Registers> {
  const clock = { now: () => NOW };
  const runtime = {
    query: { watermarks: [] },
    ports: { clock, shardListers: new Map([["input", memoryShardLister(clock.now, shards)]]) },
    rules: { sources: new Map([["input", { across }]]), closeOnIdleMs: null },
  } as unknown as QueryRuntime;
  const position = { registers: { ...NO_REGISTERS, ...registers }, offsets: new Map() };
  return probeShards(runtime, position as unknown as PartitionPosition);
}

describe("a look at silent shards", () => {
  it("finds how far an empty shard is read: to the look, less the margin between clocks", async () => {
    const { perShard, shardList } = await look([shard("a")]);
    expect(shardList).toEqual({ input: [{ shard: "a", parents: [] }] });
    expect(perShard["input/a"]).toMatchObject({ readThrough: NOW - 1_000, silentSince: NOW - 1_000 });
  });

  it("learns nothing of a shard that lags, cannot be read, or had a record just now", async () => {
    const recent = { readThrough: 1, newestArrival: NOW - 2_000, steps: {} };
    const { perShard } = await look([shard("a", { sequences: ["1"] }), shard("b", { unreadable: true }), shard("c")], {
      perShard: { "input/c": recent },
    });
    expect(perShard).toEqual({ "input/c": recent });
  });

  it("lets a closed shard go only once its children are known", async () => {
    const closed = shard("a", { closed: true });
    expect((await look([closed])).shardList["input"]).toEqual([{ shard: "a", parents: [] }]);
    const { shardList } = await look([closed, shard("b", { parents: ["a"], sequences: ["9"] })]);
    expect(shardList["input"]).toContainEqual({ shard: "a", parents: [], drained: true });
  });

  it("retires what is no longer listed, and that is worth a commit", async () => {
    const [closed, child] = [shard("a", { closed: true }), shard("b", { parents: ["a"] })];
    const drained = await look([closed, child]);
    const after = await look([child], drained);
    expect(after.retired).toEqual({ "input/a": 0 });
    expect(after.shardList["input"]).toEqual([{ shard: "b", parents: ["a"] }]);
    expect(hasNewShards(drained, after)).toBe(true);
    expect(hasNewShards(after, await look([closed, child], after))).toBe(false);
  });

  it("is not taken where Spark's maximum needs no evidence", async () => {
    expect(await look([shard("a")], {}, "max")).toEqual(NO_REGISTERS);
  });
});

describe("what a look is worth", () => {
  it("is a commit for a shard seen first or drained, and none for reading further", async () => {
    const before = await look([shard("a")]);
    const further = await look([shard("a")], {
      ...before,
      perShard: { "input/a": { ...before.perShard["input/a"]!, readThrough: 5 } },
    });
    expect(hasNewShards(NO_REGISTERS, before)).toBe(true);
    expect(hasNewShards(before, further)).toBe(false);
    expect(hasNewShards(before, await look([shard("a"), shard("b")], before))).toBe(true);
  });
});
