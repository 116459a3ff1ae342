import { describe, expect, it } from "vitest";
import type { MemoryShard } from "../../lib/sources/memory-shard-lister.js";
import { delivery, harness } from "./support/harness.js";
import { windowedCount } from "./support/windowed-count.js";

const shard = (name: string, ...parents: string[]): MemoryShard => ({ shard: name, parents, sequences: [] });
const start = (across: "auto" | "max", ...shards: MemoryShard[]) => {
  const h = harness({
    physical: () => windowedCount({ sizeMs: 10, delayMs: 0 }),
    source: { kind: "memory", across },
    withLister: true,
  });
  h.lister.shards = shards;
  let listings = 0;
  const list = h.lister.listShards;
  h.lister.listShards = () => {
    listings++;
    return list();
  };
  let sequence = 1;
  /** One new record of each. */
  const read = (...names: string[]) =>
    h.query.processBatch(names.map((name) => delivery(name, sequence++, [{ t: 1, arrival: h.clock.time }])));
  const registers = () => h.partition.commits.at(-1)!.registers;
  return { h, read, registers, known: () => registers().shardList["input"], listings: () => listings };
};

describe("the list of a source's shards", () => {
  it("is recorded in the first commit, and not asked for again", async () => {
    const { read, known, listings } = start("auto", shard("a"), shard("b"));
    await read("a");
    expect(known()).toEqual([
      { shard: "a", parents: [] },
      { shard: "b", parents: [] },
    ]);
    await read("a");
    expect(listings()).toBe(1);
  });

  it("is asked for again when a record comes from a shard that is not among them", async () => {
    const { h, read, known } = start("auto", shard("a"));
    await read("a");
    h.lister.shards = [shard("a"), shard("c", "a")];
    await read("c");
    expect(known()).toContainEqual({ shard: "c", parents: ["a"] });
  });

  it("holds a shard that was read before the source lists it, and learns its parents later", async () => {
    const { h, read, known } = start("auto", shard("a"));
    await read("a");
    await read("c");
    expect(known()).toContainEqual({ shard: "c", parents: [] });
    h.lister.shards = [shard("a"), shard("c", "a"), shard("d", "a")];
    await read("d");
    expect(known()).toContainEqual({ shard: "c", parents: ["a"] });
  });

  it("is of no use to Spark's rule, which asks for none", async () => {
    const { read, known, listings } = start("max", shard("a"));
    await read("a");
    expect(known()).toBeUndefined();
    expect(listings()).toBe(0);
  });

  it("retires what the source no longer names, but nothing that this batch reads", async () => {
    const { h, read, known, registers } = start("auto", shard("a"));
    await read("a");
    h.lister.shards = [shard("a"), shard("c", "a")];
    await read("c");
    h.lister.shards = [shard("c", "a"), shard("d", "c")];
    await read("d", "a");
    expect(known()!.map((info) => info.shard)).toEqual(["a", "c", "d"]);
    h.lister.shards = [shard("c", "a"), shard("d", "c"), shard("e", "c")];
    await read("e");
    expect(registers().retired).toEqual({ "input/a": h.clock.time });
    expect(known()!.map((info) => info.shard)).toEqual(["c", "d", "e"]);
  });

  it("is not asked for again by records of a retired shard, and never holds it again", async () => {
    const { h, read, known, registers, listings } = start("auto", shard("a"), shard("c", "a"));
    await read("a");
    await read("c");
    h.lister.shards = [shard("c", "a"), shard("d", "c")];
    await read("d");
    expect(Object.keys(registers().retired)).toEqual(["input/a"]);
    const before = listings();
    h.lister.shards = [shard("a"), shard("c", "a"), shard("d", "c")];
    await read("d", "a");
    expect(listings()).toBe(before);
    expect(h.progress.at(-1)).toMatchObject({ deliveredRecords: 2, skippedRecords: 1, ancientRecords: 1 });
    await read("f");
    expect(known()!.map((info) => info.shard)).toEqual(["c", "d", "f"]);
    expect(Object.keys(registers().perShard)).not.toContain("input/a");
    expect(h.partition.position().offsets.has("input/a")).toBe(false);
  });
});
