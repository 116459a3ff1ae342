import { describe, expect, it } from "vitest";
import type { CheckpointLog } from "../../lib/checkpoint/checkpoint-log.js";
import { AT, never, step, testWorld } from "./test-world.js";

/** The log after somebody deleted a slot by hand. */
const without = (log: CheckpointLog, slot: number): CheckpointLog => ({
  ...log,
  readSlot: async (at, wanted) => (wanted === slot ? null : log.readSlot(at, wanted)),
  readSlots: async (at, wanted) =>
    (await log.readSlots(at, wanted)).map((item, i) => (wanted[i] === slot ? null : item)),
});

async function written(batches: number, ringSize = 64) {
  const world = testWorld({ ringSize });
  const partition = world.open();
  for (let n = 1; n <= batches; n++) await step(partition, world.publisher, n);
  return world;
}

describe("a slot that was deleted by hand (TRIALS-2 E13)", () => {
  it("is an error wherever others follow it, never fewer records", async () => {
    const world = await written(24);
    for (let slot = 1; slot < 24; slot++)
      await expect(world.open({ log: without(world.log, slot) }).load(), `slot ${slot}`).rejects.toThrow(
        "checkpoint-item-lost",
      );
  });

  it("is an error once the ring has lapped, whichever it is", async () => {
    const world = await written(30, 8);
    const { batchId } = (await world.log.readPointer(AT))!;
    for (let n = batchId + 1; n <= 31; n++)
      await expect(world.open({ log: without(world.log, n % 8) }).load(), `batch ${n}`).rejects.toThrow(
        "checkpoint-item-lost",
      );
  });

  it("is told from a head that moves while it is read", async () => {
    const world = await written(5);
    const writer = world.open();
    await writer.load();
    const moving: CheckpointLog = {
      ...world.log,
      // Slot 6 is read before its batch is committed, slot 7 after both are.
      async readSlots(at, slots) {
        const before = await world.log.readSlots(at, slots);
        if (slots[0] !== 6) return before;
        for (const n of [6, 7]) await step(writer, world.publisher, n);
        return [before[0]!, ...(await world.log.readSlots(at, slots.slice(1)))];
      },
    };
    const reader = world.open({ log: { ...moving } });
    await reader.load();
    expect(reader.position().version).toBeGreaterThanOrEqual(5);
    await reader.publish(world.publisher, never);
  });
});
