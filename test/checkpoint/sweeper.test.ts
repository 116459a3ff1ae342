import { describe, expect, it } from "vitest";
import { objectPrefix } from "../../lib/checkpoint/keys.js";
import { type SweepOptions, sweepPartition } from "../../lib/checkpoint/sweeper.js";
import { AT, contents, step, testWorld } from "./test-world.js";

const DAY = 24 * 3_600_000;

async function worldWithOrphans() {
  const world = testWorld({ ringSize: 4, inlineLimitBytes: 0 });
  const partition = world.open();
  for (let n = 1; n <= 11; n++) await step(partition, world.publisher, n);
  const live = await world.keys();
  const orphan = `${objectPrefix("q", AT)}run-orphan`;
  await world.objects.put(orphan, Uint8Array.of(1));
  const options: SweepOptions = { ...world, query: "q", ...AT, ringSize: 4 };
  return { world, partition, live, orphan, options };
}

describe("the sweeper (rule 10)", () => {
  it("deletes what is older than 48 hours and named by neither pointer, manifest nor slot, and only that", async () => {
    const { world, partition, live, orphan, options } = await worldWithOrphans();
    world.clock.now += 2 * DAY + 1;
    const young = `${objectPrefix("q", AT)}delta-young`;
    await world.objects.put(young, Uint8Array.of(1));
    expect(await sweepPartition(options)).toEqual({ deleted: [orphan] });
    expect((await world.keys()).sort()).toEqual([...live, young].sort());
    const cold = world.open();
    await cold.load();
    expect(contents(cold)).toEqual(contents(partition));
  });

  it("keeps everything for 48 hours", async () => {
    const { world, options } = await worldWithOrphans();
    world.clock.now += 2 * DAY;
    expect(await sweepPartition(options)).toEqual({ deleted: [] });
  });

  it("deletes nothing if any read fails", async () => {
    const { world, options } = await worldWithOrphans();
    world.clock.now += 3 * DAY;
    const before = await world.keys();
    const down = () => Promise.reject(new Error("down"));
    for (const log of [
      { ...options.log, readPointer: down },
      { ...options.log, readSlots: down },
    ]) {
      await expect(sweepPartition({ ...options, log })).rejects.toThrow("down");
    }
    const objects = { ...options.objects, get: down };
    await expect(sweepPartition({ ...options, objects })).rejects.toThrow("down");
    expect(await world.keys()).toEqual(before);
  });

  it("never goes on without the manifest that the pointer names", async () => {
    const { world, options } = await worldWithOrphans();
    world.clock.now += 3 * DAY;
    const before = await world.keys();
    const objects = { ...options.objects, get: async () => null };
    await expect(sweepPartition({ ...options, objects })).rejects.toThrow("checkpoint-moving");
    expect(await world.keys()).toEqual(before);
  });

  it("lists before it reads: what is put and named while it runs is safe", async () => {
    const { world, partition, options } = await worldWithOrphans();
    world.clock.now += 3 * DAY;
    const log = {
      ...options.log,
      readSlots: async (...args: Parameters<typeof options.log.readSlots>) => {
        for (let n = 12; n <= 20; n++) await step(partition, world.publisher, n);
        return options.log.readSlots(...args);
      },
    };
    await sweepPartition({ ...options, log });
    const cold = world.open();
    await cold.load();
    expect(contents(cold)).toEqual(contents(partition));
  });
});
