import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ObjectStore } from "../../lib/checkpoint/object-store.js";

export interface ObjectStoreUnderTest {
  /** Empty each time. */
  make(): ObjectStore | Promise<ObjectStore>;
  /** The store's own clock. */
  now(): number;
  start?(): Promise<void>;
  stop?(): Promise<void>;
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

async function keysOf(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
}

/** The law of `ObjectStore`; every implementation passes it. */
export function objectStoreContract(name: string, { make, now, start, stop }: ObjectStoreUnderTest): void {
  describe(`the object store in ${name}`, () => {
    if (start) beforeAll(start);
    if (stop) afterAll(stop);

    it("gives back what was put, and null for what never was", async () => {
      const store = await make();
      await store.put("a/b-1", bytes("hello"), { contentType: "text/plain" });
      expect(Buffer.from((await store.get("a/b-1"))!).toString()).toBe("hello");
      expect(await store.get("a/b")).toBeNull();
      expect(await store.get("a/b-2")).toBeNull();
    });

    it("keeps a megabyte byte for byte", async () => {
      const store = await make();
      const large = Uint8Array.from({ length: 1 << 20 }, (_, i) => (i * 31 + (i >> 8)) & 255);
      await store.put("large", large);
      expect(Buffer.from((await store.get("large"))!).equals(Buffer.from(large))).toBe(true);
    });

    it("deletes, also what is not there", async () => {
      const store = await make();
      await store.put("x/1", bytes("1"));
      await store.delete(["x/1", "x/2"]);
      await store.delete([]);
      expect(await store.get("x/1")).toBeNull();
    });

    it("names the folders right below a prefix, each once", async () => {
      const store = await make();
      for (const key of [
        "c/q/0/delta-1",
        "c/q/0/run-1",
        "c/q/ring.s.shard-1/outbox-1",
        "c/q/12/x",
        "c/q2/9/x",
        "c/q/top",
      ])
        await store.put(key, bytes(key));
      expect([...(await store.folders("c/q/"))].sort()).toEqual(["0", "12", "ring.s.shard-1"]);
      expect(await store.folders("nothing/")).toEqual([]);
    });

    it("lists by prefix, to the end, in order, with sizes and its own time", async () => {
      const store = await make();
      const keys = Array.from({ length: 12 }, (_, i) => `p/q-${String(i).padStart(2, "0")}`);
      for (const key of [...keys].reverse()) await store.put(key, bytes(key));
      await store.put("p2/other", bytes("no"));
      expect(await keysOf(store, "p/")).toEqual(keys);
      for await (const { size, modified } of store.list("p/")) {
        expect(size).toBe(6);
        expect(Math.abs(modified - now())).toBeLessThan(120_000);
      }
      expect(await keysOf(store, "nothing/")).toEqual([]);
    });
  });
}
