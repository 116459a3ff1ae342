import { describe, expect, it } from "vitest";
import type { Registers } from "../../lib/checkpoint/registers.js";
import { AT, contents, draft, groups, never, step, testWorld } from "./test-world.js";

describe("a state partition over a ring", () => {
  it.each([
    { ringSize: 1 },
    { ringSize: 2 },
    { ringSize: 4, inlineLimitBytes: 0 },
    { ringSize: 8, inlineLimitBytes: 700 },
    {},
  ])(
    "loads cold, at every batch, just what the warm environment holds: $ringSize, $inlineLimitBytes",
    async (options) => {
      const { open, publisher, published } = testWorld(options);
      const warm = open();
      for (let n = 1; n <= 90; n++) {
        expect(await step(warm, publisher, n)).toBe("committed");
        const cold = open();
        expect(await cold.load()).toEqual({ coldStart: true });
        expect(contents(cold)).toEqual(contents(warm));
      }
      expect(published.map((i) => i.batchId)).toEqual(Array.from({ length: 90 }, (_, i) => i + 1));
    },
  );

  it("finds every register equal after a snapshot and a cold load", async () => {
    const { open, publisher, log } = testWorld({ ringSize: 2 });
    const warm = open();
    const registers = (n: number): Partial<Registers> => ({
      perNodeWatermark: { "w:eventTime": n, [`w:${n % 2}`]: -n },
      perShard: {
        "s/0": {
          readThrough: n * 10,
          newestArrival: n * 9,
          steps: { "w:eventTime": [{ arrival: n, maxEventTime: n + 0.125 }] },
        },
        [`s/${n % 3}`]: { readThrough: n, newestArrival: 0, silentSince: n, steps: {} },
      },
      shardList: {
        s: [
          { shard: "0", parents: [], drained: true },
          { shard: `${n}`, parents: ["0"] },
        ],
      },
      processingTime: 1_700_000_000_000 + n,
      oldestExpiry: n * 600_000_000,
      nextTimer: n % 2 === 0 ? null : n,
      drained: n > 5,
    });
    for (let n = 1; n <= 8; n++) {
      await step(warm, publisher, n, registers(n));
      const cold = open();
      await cold.load();
      expect(cold.position()).toEqual(warm.position());
      const { processingTime, oldestExpiry, nextTimer, shardList, drained } = registers(n);
      expect(cold.position().registers).toMatchObject({ processingTime, oldestExpiry, nextTimer, shardList, drained });
    }
    expect((await log.readPointer(AT))?.batchId).toBeGreaterThanOrEqual(6);
  });

  it("costs exactly one request per warm commit", async () => {
    const { open, publisher, requests } = testWorld();
    const warm = open();
    await step(warm, publisher, 1);
    requests.length = 0;
    for (let n = 2; n <= 64; n++) await step(warm, publisher, n);
    expect(requests).toEqual(Array.from({ length: 63 }, () => "putSlot"));
  });

  it("writes one snapshot per ring when nothing else asks for one", async () => {
    const { open, publisher, requests } = testWorld({ inlineLimitBytes: 0 });
    const warm = open();
    for (let n = 1; n <= 256; n++) await step(warm, publisher, n);
    expect(requests.filter((r) => r === "movePointer").length).toBeLessThanOrEqual(8);
    expect(requests.filter((r) => r === "readPointer").length).toBe(1);
  });

  it("keeps objects in step with what the pointer and the slots name", async () => {
    const { open, publisher, keys } = testWorld({ ringSize: 8, inlineLimitBytes: 0 });
    const warm = open();
    for (let n = 1; n <= 100; n++) await step(warm, publisher, n);
    // Delta and outbox of 8 slots, one manifest, its runs and segments.
    expect((await keys()).length).toBeLessThanOrEqual(16 + 1 + 16 + 8);
  });

  it("tells the loser of a race, which then stands on the winner's entry", async () => {
    const { open, publisher } = testWorld();
    const [a, b] = [open(), open()];
    await a.load();
    await b.load();
    expect(await step(a, publisher, 1)).toBe("committed");
    expect(await step(b, publisher, 1)).toBe("conflict");
    expect(contents(b)).toEqual(contents(a));
    expect(await step(b, publisher, 2)).toBe("committed");
  });

  it("publishes what a dead environment committed, and records that it did", async () => {
    const { open, publisher, published, log, requests } = testWorld();
    const dead = open();
    await dead.load();
    await dead.commit(draft(1), dead.stage());
    const next = open();
    await next.load();
    await next.publish(publisher, never);
    expect(published.map((i) => i.batchId)).toEqual([1]);
    expect(await log.readPointer(AT)).toMatchObject({
      manifestKey: null,
      published: 2_000_000,
    });
    requests.length = 0;
    const third = open();
    await third.load();
    await third.publish(publisher, never);
    expect(published).toHaveLength(1);
  });

  it("stops publishing at the deadline, and goes on from there", async () => {
    const { open, publisher, published } = testWorld();
    const dead = open();
    for (const n of [1, 2, 3]) {
      await dead.load();
      expect(await dead.commit(draft(n), dead.stage())).toBe("committed");
    }
    const next = open();
    await next.load();
    await expect(next.publish(publisher, () => published.length === 2)).rejects.toThrow("publish-incomplete");
    const third = open();
    await third.load();
    await third.publish(publisher, never);
    expect(published.map((i) => i.batchId)).toEqual([1, 2, 3]);
  });

  it("refuses a state above maxStateBytes before it commits", async () => {
    const { open, publisher } = testWorld({ maxStateBytes: 50 });
    const partition = open();
    await expect(step(partition, publisher, 1)).rejects.toThrow("state-too-large");
    expect(partition.position().version).toBe(0);
  });

  it("lets a state that is above a lowered maxStateBytes shrink, or stay as it is", async () => {
    const { open, publisher } = testWorld();
    await step(open(), publisher, 1);
    const limited = open({ maxStateBytes: 50 });
    await limited.load();
    const grows = limited.stage();
    grows.table<number[]>(groups).put("more", [1], 0);
    await expect(limited.commit(draft(2), grows, publisher)).rejects.toThrow("state-too-large");
    const shrinks = limited.stage();
    shrinks.table<number[]>(groups).expireThrough(Number.POSITIVE_INFINITY);
    expect(await limited.commit(draft(2), shrinks, publisher)).toBe("committed");
    expect(await limited.commit(draft(3), limited.stage(), publisher)).toBe("committed");
  });

  it("keeps the progress of the entries in the ring, oldest first", async () => {
    const { open, publisher } = testWorld({ ringSize: 4 });
    const partition = open();
    for (let n = 1; n <= 6; n++) await step(partition, publisher, n);
    expect(await partition.recentProgress()).toEqual([3, 4, 5, 6].map((batchId) => ({ batchId })));
  });

  it("writes nothing more once it has met newer code", async () => {
    const { open, publisher } = testWorld();
    const old = open();
    await step(old, publisher, 1);
    await step(open({ generation: 2 }), publisher, 2);
    await expect(step(old, publisher, 2)).rejects.toThrow("superseded");
    await expect(old.load()).rejects.toThrow("superseded");
    await expect(old.load()).rejects.toMatchObject({ code: "superseded", retry: true });
    await expect(open().load()).rejects.toThrow("superseded");
  });
});
