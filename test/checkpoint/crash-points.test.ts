import { describe, expect, it } from "vitest";
import type { CheckpointLog } from "../../lib/checkpoint/checkpoint-log.js";
import type { ObjectStore } from "../../lib/checkpoint/object-store.js";
import type { PublishIdentity } from "../../lib/sinks/sink.js";
import { AT, change, contents, draft, never, step, testWorld } from "./test-world.js";

/** The environment dies here: nothing after this call runs. */
const die = (): Promise<never> => new Promise(() => {});
/** Long enough for everything that is not dead. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

const dyingLog = (log: CheckpointLog, dying: Partial<CheckpointLog>): CheckpointLog =>
  new Proxy(log, { get: (target, name: keyof CheckpointLog) => dying[name] ?? target[name] });
const dyingObjects = (objects: ObjectStore, dying: Partial<ObjectStore>): ObjectStore => ({ ...objects, ...dying });

/** What a redelivery does in a new environment: load, find whether anything remains, publish, succeed. */
async function redeliver(world: ReturnType<typeof testWorld>, n: number) {
  const next = world.open();
  await next.load();
  const remains = next.position().version < n;
  if (remains) expect(await next.commit(draft(n), change(next, n), world.publisher)).toBe("committed");
  await next.publish(world.publisher, never);
  return { next, remains };
}

/** An undisturbed run of the same batches: what everything must come to. */
async function undisturbed(n: number) {
  const world = testWorld();
  const partition = world.open();
  for (let i = 1; i <= n; i++) await step(partition, world.publisher, i);
  return contents(partition);
}

const batchIds = (published: readonly PublishIdentity[]) => published.map(({ batchId }) => batchId);

describe("a crash (protocol.md section 3)", () => {
  it("after processing, before the put: nothing is durable, and the redelivery commits", async () => {
    const world = testWorld();
    const dead = world.open();
    await dead.load();
    change(dead, 1);
    const { next, remains } = await redeliver(world, 1);
    expect(remains).toBe(true);
    expect(contents(next)).toEqual(await undisturbed(1));
    expect(batchIds(world.published)).toEqual([1]);
  });

  it("after uploads, before the put: the orphans harm nobody", async () => {
    const world = testWorld({ inlineLimitBytes: 0 });
    const dead = world.open({ log: dyingLog(world.log, { putSlot: die }) });
    await dead.load();
    void dead.commit(draft(1), change(dead, 1));
    await settle();
    expect(await world.keys()).toHaveLength(2);
    const { next } = await redeliver(world, 1);
    expect(contents(next)).toEqual(await undisturbed(1));
    expect(await world.keys()).toHaveLength(4);
  });

  it("D7: a put that is denied is called so, with the permission that it needs, and is not taken for applied", async () => {
    const world = testWorld();
    const denied = Object.assign(new Error("not authorized"), { name: "AccessDeniedException" });
    const partition = world.open({
      log: dyingLog(world.log, { putSlot: async () => ({ outcome: "unknown", cause: denied }) }),
    });
    await partition.load();
    await expect(partition.commit(draft(1), change(partition, 1))).rejects.toThrow(
      /\[commit-denied\] The function may not write the checkpoint.*dynamodb:PutItem/,
    );
    expect(partition.position().version).toBe(0);
  });

  it("after the put, its response lost: the same environment finds its entry by reading first, and publishes it", async () => {
    const world = testWorld();
    const lost = { log: world.log, lose: true };
    const partition = world.open({
      log: dyingLog(world.log, {
        async putSlot(...args) {
          const result = await world.log.putSlot(...args);
          return lost.lose ? { outcome: "unknown", cause: new Error("timeout") } : result;
        },
      }),
    });
    await partition.load();
    await expect(partition.commit(draft(1), change(partition, 1))).rejects.toThrow("commit-unknown");
    expect(partition.position().version).toBe(0);
    lost.lose = false;
    await partition.load();
    expect(partition.position().version).toBe(1);
    await partition.publish(world.publisher, never);
    expect(contents(partition)).toEqual(await undisturbed(1));
    expect(batchIds(world.published)).toEqual([1]);
  });

  it("after the put, its response lost and the environment with it: the redelivery finds nothing left and publishes", async () => {
    const world = testWorld();
    const dead = world.open({
      log: dyingLog(world.log, {
        putSlot: async (...args) => {
          await world.log.putSlot(...args);
          return die();
        },
      }),
    });
    await dead.load();
    void dead.commit(draft(1), change(dead, 1));
    await settle();
    const { next, remains } = await redeliver(world, 1);
    expect(remains).toBe(false);
    expect(contents(next)).toEqual(await undisturbed(1));
    expect(batchIds(world.published)).toEqual([1]);
  });

  it("after the commit, midway through publishing: the next loader publishes the rest, in order", async () => {
    const world = testWorld();
    const dead = world.open();
    for (const n of [1, 2, 3]) {
      await dead.load();
      await dead.commit(draft(n), change(dead, n));
    }
    const seen: PublishIdentity[] = [];
    void dead.publish(async (identity) => (seen.length === 1 ? die() : void seen.push(identity)), never);
    await settle();
    const { next } = await redeliver(world, 3);
    expect(batchIds(seen)).toEqual([1]);
    expect(batchIds(world.published)).toEqual([1, 2, 3]);
    expect(contents(next)).toEqual(await undisturbed(3));
  });

  it("after publishing, before success is told: the redelivery publishes the same content again, and commits nothing", async () => {
    const world = testWorld();
    await step(world.open(), world.publisher, 1);
    const { remains } = await redeliver(world, 1);
    expect(remains).toBe(false);
    expect(batchIds(world.published)).toEqual([1, 1]);
    expect(await world.log.readSlot(AT, 2)).toBeNull();
  });

  it("after the pointer moved, its response lost: the next loader uses the new snapshot, nothing it names is deleted", async () => {
    const world = testWorld({ ringSize: 2, inlineLimitBytes: 0 });
    const dead = world.open({
      log: dyingLog(world.log, {
        movePointer: async (...args) => {
          await world.log.movePointer(...args);
          return die();
        },
      }),
    });
    for (const n of [1, 2]) await step(dead, world.publisher, n);
    await dead.load();
    void dead.commit(draft(3), change(dead, 3), world.publisher);
    await settle();
    expect((await world.log.readPointer(AT))?.batchId).toBe(2);
    const { next, remains } = await redeliver(world, 3);
    expect(remains).toBe(true);
    expect(contents(next)).toEqual(await undisturbed(3));
  });

  it("after the pointer moved, before the old objects are deleted: they are orphans and the state is whole", async () => {
    const world = testWorld({ ringSize: 2, inlineLimitBytes: 0 });
    const dead = world.open({ objects: dyingObjects(world.objects, { delete: die }) });
    for (const n of [1, 2]) await step(dead, world.publisher, n);
    await dead.load();
    await dead.commit(draft(3), change(dead, 3), world.publisher);
    void dead.publish(world.publisher, never);
    await settle();
    const { next } = await redeliver(world, 3);
    expect(contents(next)).toEqual(await undisturbed(3));
  });

  it("after a snapshot of n - 1, before the put of n: the redelivery's put proceeds", async () => {
    const world = testWorld({ ringSize: 2 });
    const live = world.open();
    for (const n of [1, 2]) await step(live, world.publisher, n);
    const dead = world.open({ log: dyingLog(world.log, { putSlot: die }) });
    await dead.load();
    void dead.commit(draft(3), change(dead, 3), world.publisher);
    await settle();
    expect((await world.log.readPointer(AT))?.batchId).toBe(2);
    const { next } = await redeliver(world, 3);
    expect(contents(next)).toEqual(await undisturbed(3));
  });

  it("of a writer frozen between upload and put for longer than its uploads may be named: they are uploaded again [CE6]", async () => {
    const world = testWorld({ inlineLimitBytes: 0 });
    let frozen = 0;
    const partition = world.open({
      log: dyingLog(world.log, {
        putSlot: (...args) => {
          if (frozen++ === 0) world.clock.now += 49 * 3_600_000;
          return world.log.putSlot(...args);
        },
      }),
    });
    await partition.load();
    expect(await partition.commit(draft(1), change(partition, 1))).toBe("committed");
    expect(frozen).toBe(2);
    expect(await world.keys()).toHaveLength(4);
    const cold = world.open();
    await cold.load();
    expect(contents(cold)).toEqual(await undisturbed(1));
  });

  it("is no excuse for a loser to delete what the winner's manifest names [CE5]", async () => {
    const world = testWorld({ ringSize: 4, inlineLimitBytes: 0 });
    const first = world.open();
    for (const n of [1, 2, 3, 4]) await step(first, world.publisher, n);
    const winner = world.open();
    const loser = world.open({
      log: dyingLog(world.log, {
        async movePointer(...args) {
          // Applied, response lost; another environment installs a manifest that names the same run; then the SDK's retry.
          await world.log.movePointer(...args);
          for (const n of [5, 6, 7, 8, 9]) {
            await winner.load();
            expect(await winner.commit(draft(n), change(winner, n), world.publisher)).toBe("committed");
          }
          const refused = await world.log.movePointer(...args);
          return refused.outcome === "refused" ? { ...refused, sentOnce: false } : refused;
        },
      }),
    });
    await loser.load();
    expect(await loser.commit(draft(5), change(loser, 5), world.publisher)).toBe("conflict");
    const cold = world.open();
    await cold.load();
    expect(contents(cold)).toEqual(await undisturbed(9));
  });
});
