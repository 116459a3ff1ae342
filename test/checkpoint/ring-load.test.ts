import { describe, expect, it } from "vitest";
import { decodeEntry } from "../../lib/checkpoint/entry-codec.js";
import { NO_REGISTERS, type Registers } from "../../lib/checkpoint/registers.js";
import type { StatePartition } from "../../lib/checkpoint/state-partition.js";
import { AT, change, contents, draft, never, testWorld } from "./test-world.js";

const info = (shard: string, ...parents: string[]) => ({ shard, parents });

/** Batch n reads shard n; from 4 on it retires shard n - 3, which shard n - 2 came from. */
function registersAfter(before: Registers, n: number): Registers {
  const perShard: Record<string, Registers["perShard"][string]> = {
    ...before.perShard,
    [`s/${n}`]: { readThrough: n * 10, newestArrival: n * 10, steps: { w: [{ arrival: n * 10, maxEventTime: n }] } },
  };
  const list = [...(before.shardList["s"] ?? []), info(`${n}`, `${n - 1}`)];
  const gone = n - 3;
  if (gone < 1) return { ...before, perShard, shardList: { s: list } };
  const newestArrival = perShard[`s/${gone}`]!.newestArrival;
  delete perShard[`s/${gone}`];
  return {
    ...before,
    perShard,
    shardList: { s: list.filter(({ shard }) => shard !== `${gone}`) },
    retired: { ...before.retired, [`s/${gone}`]: newestArrival },
  };
}

async function commit(partition: StatePartition, publisher: Parameters<StatePartition["publish"]>[0], n: number) {
  await partition.load();
  const at = { sequence: `${n}`, sub: 0 };
  const registers = registersAfter(partition.position().registers, n);
  const entry = { ...draft(n, registers), outbox: [], offsets: [{ shard: `s/${n}`, first: at, last: at }] };
  const outcome = await partition.commit(entry, change(partition, n), publisher);
  await partition.publish(publisher, never);
  return outcome;
}

describe("shards that entries retire", () => {
  it.each([{ ringSize: 1 }, { ringSize: 4, inlineLimitBytes: 0 }, { ringSize: 8, inlineLimitBytes: 700 }, {}])(
    "leave the same in a warm cache, a cold one and a look, at every batch: $ringSize, $inlineLimitBytes",
    async (options) => {
      const { open, publisher } = testWorld(options);
      const warm = open();
      const follower = open();
      for (let n = 1; n <= 30; n++) {
        expect(await commit(warm, publisher, n)).toBe("committed");
        const cold = open();
        expect((await cold.look!())!.position).toEqual(warm.position());
        await cold.load();
        expect(contents(cold)).toEqual(contents(warm));
        if (n % 3 === 0) {
          await follower.load({ fresh: true });
          expect(contents(follower)).toEqual(contents(warm));
        }
        const { offsets, registers } = cold.position();
        const living = [n - 2, n - 1, n].filter((shard) => shard > 0).map((shard) => `s/${shard}`);
        expect([...offsets.keys()]).toEqual(living);
        expect(Object.keys(registers.perShard).sort()).toEqual(living.sort());
        expect(registers.shardList["s"]!.map(({ shard }) => `s/${shard}`).sort()).toEqual(living);
        expect(Object.keys(registers.retired)).toHaveLength(Math.max(0, n - 3));
        expect(registers.retired["s/1"]).toBe(n > 3 ? 10 : undefined);
      }
    },
  );

  it("are named by their entry alone", async () => {
    const { open, publisher, log } = testWorld();
    const warm = open();
    for (let n = 1; n <= 6; n++) await commit(warm, publisher, n);
    const entries = await log.readSlots(AT, [3, 4, 5, 6]);
    expect(entries.map((item) => decodeEntry(item!).registers.retired)).toEqual([
      {},
      { "s/1": 10 },
      { "s/2": 20 },
      { "s/3": 30 },
    ]);
    // They have output, so all are of version 3, which readers of retired shards know too.
    expect(entries.map((item) => item!.body[0])).toEqual([1, 2, 2, 2]);
  });

  it("stay so when an environment that knew them as living loses the race, and redoes its entry", async () => {
    const { open, publisher } = testWorld();
    const [a, b] = [open(), open()];
    for (let n = 1; n <= 3; n++) await commit(a, publisher, n);
    await b.load();
    const stale = b.position();
    await commit(a, publisher, 4);
    // B reads shard 1 once more while A retires it.
    const at = { sequence: "1", sub: 0 };
    const entry = { ...draft(4, stale.registers), offsets: [{ shard: "s/1", first: at, last: at }] };
    expect(await b.commit(entry, b.stage(), publisher)).toBe("conflict");
    expect(b.position()).toEqual(a.position());
    expect(b.position().registers.retired).toEqual({ "s/1": 10 });
    expect(await commit(b, publisher, 5)).toBe("committed");
    await a.load({ fresh: true });
    expect(a.position()).toEqual(b.position());
    expect(Object.keys(a.position().registers.retired)).toEqual(["s/1", "s/2"]);
  });

  it("are none in a checkpoint that never heard of them", async () => {
    const { open, publisher } = testWorld({ ringSize: 2 });
    const warm = open();
    for (let n = 1; n <= 3; n++) await commit(warm, publisher, n);
    const cold = open();
    await cold.load();
    expect(cold.position().registers.retired).toEqual(NO_REGISTERS.retired);
  });
});

describe("a checkpoint whose objects were deleted by others", () => {
  it.each(["manifest", "segment", "delta"])("says that one is lost, and not that it moved on: %s", async (kind) => {
    const { open, publisher, objects, keys } = testWorld({ ringSize: 4, inlineLimitBytes: 0 });
    const warm = open();
    for (let n = 1; n <= 9; n++) await commit(warm, publisher, n);
    const lost = (await keys()).filter((key) => key.includes(kind));
    expect(lost).not.toEqual([]);
    await objects.delete(lost);
    await expect(open().load()).rejects.toThrow("checkpoint-object-lost");
    if (kind === "manifest") await expect(open().look!()).rejects.toThrow("checkpoint-object-lost");
  });
});
