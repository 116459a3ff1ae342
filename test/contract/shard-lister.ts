import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ShardLister } from "../../lib/sources/shard-lister.js";

export interface ShardListerUnderTest {
  /** A stream of one open shard without records. */
  start(): Promise<ShardLister>;
  /** Puts a record into the open shard, an aggregate of so many user records where there are several, and returns its sequence number. */
  put(users?: number): Promise<string>;
  /** Closes the open shard: two children follow. */
  split(): Promise<void>;
  stop?(): Promise<void>;
}

/** The law of `ShardLister`; every implementation passes it. */
export function shardListerContract(name: string, { start, put, split, stop }: ShardListerUnderTest): void {
  describe(`the shard lister of ${name}`, () => {
    let lister: ShardLister;
    let shard: string;
    let last: string;

    beforeAll(async () => {
      lister = await start();
      shard = (await lister.listShards())[0]!.shard;
    });
    if (stop) afterAll(stop);

    it("lists a root shard without parents", async () => {
      expect(await lister.listShards()).toEqual([{ shard, parents: [] }]);
    });

    it("finds an empty shard caught up, at an instant before the look", async () => {
      const probe = await lister.probe(shard, null);
      expect(probe).toMatchObject({ found: "caught-up" });
      expect(probe.found === "caught-up" && probe.instant).toBeLessThanOrEqual(Date.now());
    });

    it("finds a shard behind while a record waits, and caught up after it", async () => {
      const first = await put();
      last = await put();
      expect(await lister.probe(shard, null)).toEqual({ found: "behind" });
      expect(await lister.probe(shard, { sequence: first, sub: 0 })).toEqual({ found: "behind" });
      expect(await lister.probe(shard, { sequence: last, sub: 0 })).toMatchObject({ found: "caught-up" });
    });

    it("finds a shard behind while a part of an aggregate waits", async () => {
      last = await put(3);
      expect(await lister.probe(shard, { sequence: last, sub: 0 })).toEqual({ found: "behind" });
      expect(await lister.probe(shard, { sequence: last, sub: 1 })).toEqual({ found: "behind" });
      expect(await lister.probe(shard, { sequence: last, sub: 2 })).toMatchObject({ found: "caught-up" });
    });

    it("names the parent of children, and finds it closed once all of it is read", async () => {
      await split();
      const listed = await lister.listShards();
      const children = listed.filter(({ parents }) => parents.includes(shard));
      expect(children).toHaveLength(2);
      expect(await lister.probe(shard, null)).toEqual({ found: "behind" });
      expect(await lister.probe(shard, { sequence: last, sub: 1 })).toEqual({ found: "behind" });
      expect(await lister.probe(shard, { sequence: last, sub: 2 })).toEqual({ found: "closed" });
      for (const child of children) expect(await lister.probe(child.shard, null)).toMatchObject({ found: "caught-up" });
    });

    it("fails for a shard that is not there: that is no silence", async () => {
      await expect(lister.probe("shardId-000000000999", null)).rejects.toThrow();
    });
  });
}
