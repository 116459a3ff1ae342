import { describe, expect, it } from "vitest";
import { decodeEntry } from "../../lib/checkpoint/entry-codec.js";
import { seeded } from "./explorer/scheduler.js";
import { AT, contents, draft, groups, never, step, testWorld } from "./test-world.js";

/** What stands in slot 1 after one batch with a delta and an outbox of these sizes, incompressible. */
async function stored(sizes: { readonly delta: number; readonly outbox: number }) {
  const world = testWorld({ inlineLimitBytes: 8192 });
  const partition = world.open();
  await partition.load();
  const staged = partition.stage();
  const random = seeded(1);
  const noise = (length: number) => Uint8Array.from({ length }, () => Math.floor(random() * 256));
  staged.table(groups).put("k", noise(sizes.delta), 0);
  await partition.commit(
    { ...draft(1), outbox: [{ output: "result", sink: "memory", bytes: noise(sizes.outbox) }] },
    staged,
  );
  const { delta, outbox } = decodeEntry((await world.log.readSlot(AT, 1))!);
  const cold = world.open();
  await cold.load();
  expect(contents(cold)).toEqual(contents(partition));
  return { world, delta: delta && Object.keys(delta)[0], outbox: Object.keys(outbox[0]!.blob)[0] };
}

describe("an entry", () => {
  it("holds delta and outbox while both fit, and else moves the larger one out first", async () => {
    expect(await stored({ delta: 3000, outbox: 3000 })).toMatchObject({ delta: "inline", outbox: "inline" });
    expect(await stored({ delta: 6000, outbox: 3000 })).toMatchObject({ delta: "key", outbox: "inline" });
    expect(await stored({ delta: 3000, outbox: 6000 })).toMatchObject({ delta: "inline", outbox: "key" });
    expect(await stored({ delta: 9000, outbox: 9000 })).toMatchObject({ delta: "key", outbox: "key" });
  });

  it("names its objects by random ids under the query, incarnation and partition", async () => {
    const { world } = await stored({ delta: 9000, outbox: 9000 });
    for (const key of await world.keys()) {
      expect(key).toMatch(/^checkpoints\/q\/000000000000001\/0\/(delta|outbox)-id\d+$/);
    }
  });

  it("without changes or output names neither", async () => {
    const world = testWorld();
    const partition = world.open();
    await partition.load();
    await partition.commit({ ...draft(1), outbox: [] }, partition.stage());
    expect(decodeEntry((await world.log.readSlot(AT, 1))!)).toMatchObject({ delta: null, outbox: [], batchId: 1 });
    await partition.publish(async () => expect.unreachable("nothing to publish"), never);
  });

  it("records the writer's knowledge of what is published, so that a later loader need not publish it again", async () => {
    const world = testWorld();
    const warm = world.open();
    for (const n of [1, 2, 3]) await step(warm, world.publisher, n);
    expect(decodeEntry((await world.log.readSlot(AT, 3))!).publishedThrough).toBe(2);
    const cold = world.open();
    await cold.load();
    world.published.length = 0;
    await cold.publish(world.publisher, never);
    expect(world.published.map(({ batchId }) => batchId)).toEqual([3]);
  });
});
