import { Buffer } from "node:buffer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LogStore } from "../../lib/sinks/delta/log-store.js";

interface LogStoreUnderTest {
  readonly make: () => Promise<LogStore>;
  readonly start?: () => Promise<void>;
  readonly stop?: () => Promise<void>;
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

/** The law of `lib/sinks/delta/log-store.ts`. */
export function logStoreContract(name: string, { make, start, stop }: LogStoreUnderTest): void {
  describe(`${name} as a store of a log`, () => {
    if (start !== undefined) beforeAll(start);
    if (stop !== undefined) afterAll(stop);

    it("lets one of many writers of a key win, and keeps what it wrote", async () => {
      const store = await make();
      const won = await Promise.all(["a", "b", "c"].map((text) => store.putIfAbsent("log/1", bytes(text))));
      expect(won.filter(Boolean)).toHaveLength(1);
      const winner = ["a", "b", "c"][won.indexOf(true)]!;
      expect(await store.putIfAbsent("log/1", bytes("d"))).toBe(false);
      expect(await store.get("log/1")).toEqual(bytes(winner));
    });

    it("puts over what stands, gets null for what does not", async () => {
      const store = await make();
      await store.put("k", bytes("a"));
      await store.put("k", bytes("b"));
      expect(await store.get("k")).toEqual(bytes("b"));
      expect(await store.get("none")).toBeNull();
    });

    it("lists what comes after a key below a prefix, ascending", async () => {
      const store = await make();
      for (const key of ["log/03", "log/01", "log/02", "other/04"]) await store.put(key, bytes("x"));
      expect(await store.list("log/", "log/01")).toEqual(["log/02", "log/03"]);
      expect(await store.list("log/", "log/")).toEqual(["log/01", "log/02", "log/03"]);
    });
  });
}
