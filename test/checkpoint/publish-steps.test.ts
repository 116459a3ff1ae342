import { describe, expect, it } from "vitest";
import { encodeEntry } from "../../lib/checkpoint/entry-codec.js";
import { packPlain } from "../../lib/checkpoint/packing.js";
import type { Publisher } from "../../lib/checkpoint/state-partition.js";
import type { OutboxPart } from "../../lib/sinks/sink.js";
import { encodeRow } from "../../lib/state/row-codec.js";
import { AT, draft, never, testWorld } from "./test-world.js";

const part = (n: number, bytes = 1): OutboxPart => ({
  output: "result",
  sink: "memory",
  ...(n === 0 ? {} : { firstRow: n }),
  bytes: new Uint8Array(bytes).fill(n),
});
const parts = (count: number, bytes?: number) => Array.from({ length: count }, (_, n) => part(n, bytes));

/** An environment that commits `outbox` as the next batch, and dies. */
async function committed(world: ReturnType<typeof testWorld>, outbox: readonly OutboxPart[]): Promise<void> {
  const partition = world.open();
  await partition.load();
  const n = partition.position().version + 1;
  expect(await partition.commit({ ...draft(n), outbox }, partition.stage())).toBe("committed");
}

/** Steps as they came: batch and the first row of each part. */
function sinkOf(seen: string[]): Publisher {
  return async ({ batchId }, step) =>
    void seen.push(`${batchId}: ${step.map(({ firstRow = 0 }) => firstRow).join(" ")}`);
}

const publishedOf = async (world: ReturnType<typeof testWorld>) => (await world.log.readPointer(AT))?.published ?? 0;

describe("publication in steps (STEPS A, TRIALS-2 E1)", () => {
  it("E1: goes on where the invocation before it was stopped, until all is out, and does nothing twice", async () => {
    const world = testWorld({ packBytes: 40 });
    await committed(world, parts(120));
    await committed(world, parts(3));
    const seen: string[] = [];
    const positions: number[] = [];
    for (let invocation = 0; invocation < 50 && seen.length < 123; invocation++) {
      const partition = world.open();
      await partition.load();
      const before = seen.length;
      const publishing = partition.publish(sinkOf(seen), () => seen.length - before === 7);
      if (seen.length < 119 - 7) await expect(publishing).rejects.toThrow("publish-incomplete");
      else await publishing.catch(() => undefined);
      positions.push(await publishedOf(world));
    }
    expect(seen).toEqual([...parts(120).map((_, n) => `1: ${n}`), "2: 0", "2: 1", "2: 2"]);
    expect(positions.slice(0, 2)).toEqual([1_000_007, 1_000_014]);
    expect(positions.at(-1)).toBe(3_000_000);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
  });

  it("A3: a position within a batch settles every batch before it", async () => {
    const world = testWorld();
    for (const outbox of [parts(2), parts(2), parts(4)]) await committed(world, outbox);
    await world.log.raisePublished(AT, 3_000_002);
    const seen: string[] = [];
    const partition = world.open();
    await partition.load();
    await partition.publish(sinkOf(seen), never);
    expect(seen).toEqual(["3: 2", "3: 3"]);
  });

  it("A4: a step that failed is the next one again, and what was out before it is recorded", async () => {
    const world = testWorld();
    await committed(world, parts(4));
    const seen: string[] = [];
    const failing: Publisher = async (identity, step) => {
      if (step[0]!.firstRow === 2) throw new Error("throttled");
      await sinkOf(seen)(identity, step);
    };
    const partition = world.open();
    await partition.load();
    await expect(partition.publish(failing, never)).rejects.toThrow("throttled");
    expect(await publishedOf(world)).toBe(1_000_002);
    await partition.publish(sinkOf(seen), never);
    expect(seen).toEqual(["1: 0", "1: 1", "1: 2", "1: 3"]);
  });

  it("A2: a refused record teaches how far others are; one without an answer costs nothing but repeats", async () => {
    const world = testWorld();
    await committed(world, parts(5));
    const seen: string[] = [];
    const partition = world.open();
    await partition.load();
    const helped: Publisher = async (identity, step) => {
      await sinkOf(seen)(identity, step);
      world.clock.now += 2_000;
      if (seen.length === 1) await world.log.raisePublished(AT, 1_000_004);
    };
    await partition.publish(helped, never);
    expect(seen).toEqual(["1: 0", "1: 4"]);

    const broken = testWorld({ log: { ...testWorld().log } });
    const log = { ...broken.log, raisePublished: () => Promise.reject(new Error("timeout")) };
    await committed(broken, parts(3));
    const silent = broken.open({ log });
    await silent.load();
    await expect(silent.publish(sinkOf([]), never)).resolves.toBeUndefined();
  });

  it("A7: a long publication is recorded each second, so that a killed invocation loses no more", async () => {
    const world = testWorld();
    await committed(world, parts(30));
    const partition = world.open();
    await partition.load();
    const killed = new Promise<void>((die) => {
      let steps = 0;
      void partition.publish(() => {
        world.clock.now += 300;
        if (++steps < 12) return Promise.resolve();
        die();
        return new Promise(() => {});
      }, never);
    });
    await killed;
    expect(await publishedOf(world)).toBe(1_000_008);
  });

  it("A8: a ring about to lap publishes within its time, and does not commit before it could", async () => {
    const world = testWorld({ ringSize: 1 });
    await committed(world, parts(6));
    const partition = world.open();
    await partition.load();
    const seen: string[] = [];
    const commit = () => {
      const before = seen.length;
      return partition.commit(draft(2), partition.stage(), sinkOf(seen), () => seen.length - before === 4);
    };
    await expect(commit()).rejects.toThrow("publish-incomplete");
    expect(await publishedOf(world)).toBe(1_000_004);
    expect((await world.log.readSlot(AT, 0))?.batchId).toBe(1);
    expect(await commit()).toBe("committed");
    expect(seen).toEqual(parts(6).map((_, n) => `1: ${n}`));
  });

  it("A9: an entry is divided as it stands, packs by their size, steps by their parts", async () => {
    const world = testWorld({ packBytes: 100 });
    const joined = parts(5, 30).map((each, n) => (n % 2 === 1 ? { ...each, joins: true as const } : each));
    await committed(world, joined);
    expect((await world.keys()).filter((key) => key.includes("outbox-"))).toHaveLength(1);
    const seen: string[] = [];
    // Other sizes, as another version may have them, divide nothing anew.
    const partition = world.open({ packBytes: 1 });
    await partition.load();
    await partition.publish(sinkOf(seen), never);
    expect(seen).toEqual(["1: 0 1", "1: 2", "1: 3", "1: 4"]);
  });

  it("A9: an entry of before has a step per part, results first", async () => {
    const world = testWorld();
    const outbox = packPlain(
      1,
      encodeRow([
        { output: "late", sink: "s3", bytes: Uint8Array.of(1) },
        { output: "result", sink: "s3", dt: "2024-01-01", bytes: Uint8Array.of(2) },
        { output: "result", sink: "s3", dt: "2024-01-02", bytes: Uint8Array.of(3) },
      ]),
    );
    const entry = { ...draft(1), batchId: 1, attemptId: "old", generation: 1, delta: null, publishedThrough: 0 };
    const slot = encodeEntry({ ...entry, outbox: [{ blob: { inline: outbox }, steps: null }] });
    await world.log.putSlot(AT, 1, slot, null, { oldestUpload: null });
    await world.log.raisePublished(AT, 1_000_001);
    const seen: string[] = [];
    const partition = world.open();
    await partition.load();
    await partition.publish(async (_, [first]) => void seen.push(`${first!.output} ${first!.dt}`), never);
    expect(seen).toEqual(["result 2024-01-02", "late undefined"]);
  });
});

describe("a pack that is gone (STEPS A6, TRIALS-2 E17)", () => {
  const gone = async () => {
    const world = testWorld({ inlineLimitBytes: 0, ringSize: 1 });
    await committed(world, parts(3));
    const partition = world.open();
    await partition.load();
    const packs = (await world.keys()).filter((key) => key.includes("outbox-"));
    expect(packs).toHaveLength(1);
    await world.objects.delete(packs);
    return { world, partition };
  };

  it("is never taken for published while its entry stands", async () => {
    const { world, partition } = await gone();
    await expect(partition.publish(sinkOf([]), never)).rejects.toThrow("outbox-gone");
    expect(await publishedOf(world)).toBe(0);
  });

  it("was published by others once its slot holds a later batch", async () => {
    const { world, partition } = await gone();
    const standing = (await world.log.readSlot(AT, 0))!;
    await world.log.putSlot(AT, 0, { ...standing, batchId: 2 }, 1, { oldestUpload: null });
    const seen: string[] = [];
    await partition.publish(sinkOf(seen), never);
    expect(seen).toEqual([]);
  });
});

describe("packs and the clock of rule 5", () => {
  it("counts the age of an attempt from its first pack, and names packs that are too old under new keys", async () => {
    const world = testWorld({ packBytes: 10, inlineLimitBytes: 0 });
    const puts: number[] = [];
    const { clock } = world;
    const objects = {
      ...world.objects,
      async put(key: string, bytes: Uint8Array) {
        puts.push(clock.now);
        await world.objects.put(key, bytes);
        // The first three packs take their time.
        if (puts.length < 4) clock.now += 6 * 60_000;
      },
    };
    const partition = world.open({ objects });
    await partition.load();
    expect(await partition.commit({ ...draft(1), outbox: parts(4, 9) }, partition.stage())).toBe("committed");
    expect(puts.length).toBe(8);
    const seen: string[] = [];
    await partition.publish(sinkOf(seen), never);
    expect(seen).toEqual(["1: 0", "1: 1", "1: 2", "1: 3"]);
  });
});
