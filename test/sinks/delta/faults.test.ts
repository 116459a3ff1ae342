import { describe, expect, it } from "vitest";
import type { LogStore } from "../../../lib/sinks/delta/log-store.js";
import { memoryLogStore } from "../../../lib/sinks/delta/memory-log-store.js";
import { batchOf, table } from "./support.js";

/** A store whose calls are counted, and of which one goes wrong: before it is done, or after. */
function failing(store: LogStore, at: number, when: "before" | "after"): LogStore {
  let calls = 0;
  const wrapped =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const fails = ++calls === at;
      if (fails && when === "before") throw new Error("lost request");
      const result = await call(...args);
      if (fails) throw new Error("lost response");
      return result;
    };
  return {
    put: wrapped(store.put),
    putIfAbsent: wrapped(store.putIfAbsent),
    get: wrapped(store.get),
    list: wrapped(store.list),
  };
}

const pages = (rows: readonly Readonly<Record<string, unknown>>[]) =>
  rows.map(({ page, views }) => `${page}${views}`).sort();

describe.each(["before", "after"] as const)("a publish that dies %s a call to the store", (when) => {
  it.each(["append", "update", "complete"] as const)("leaves each row once when it is repeated: %s", async (mode) => {
    const key = mode === "update" ? ["page"] : [];
    const expected = { append: ["a1", "b1", "a2", "c1"].sort(), update: ["a2", "b1", "c1"], complete: ["a2", "c1"] }[
      mode
    ];
    let died = 0;
    for (let at = 1; at < 40; at++) {
      const store = memoryLogStore();
      const first = table({ store, key });
      // Nine commits, so that the batch under test is the one with a checkpoint.
      for (let batchId = 1; batchId <= 9; batchId++)
        await first.write(batchId, batchOf([{ page: "z", views: batchId }], "complete"));
      await first.write(
        10,
        batchOf(
          [
            { page: "a", views: 1 },
            { page: "b", views: 1 },
          ],
          "complete",
        ),
      );
      const batch = batchOf(
        [
          { page: "a", views: 2 },
          { page: "c", views: 1 },
        ],
        mode,
      );
      const broken = table({ store: failing(store, at, when), key });
      const failed = await broken.write(11, batch).then(
        () => false,
        () => true,
      );
      if (!failed) break;
      died++;
      await first.write(11, batch);
      expect(pages(await first.rows()), `call ${at}`).toEqual(expected);
    }
    expect(died).toBeGreaterThanOrEqual(mode === "update" ? 6 : 5);
  });
});

describe("two writers of one table", () => {
  it("both commit, each row once", async () => {
    const store = memoryLogStore();
    const writers = ["one", "two", "three"].map((query) => ({ query, ...table({ store }) }));
    for (let batchId = 1; batchId <= 8; batchId++)
      await Promise.all(
        writers.map(({ write, query }) => write(batchId, batchOf([{ page: query, views: batchId }]), { query })),
      );
    const rows = await writers[0]!.rows();
    expect(pages(rows)).toEqual(
      ["one", "two", "three"].flatMap((query) => [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `${query}${n}`)).sort(),
    );
    expect((await writers[0]!.snapshot()).version).toBe(23);
  });

  it("merge by key without losing what the other has merged", async () => {
    const store = memoryLogStore();
    const one = table({ store, key: ["page"] });
    const two = table({ store, key: ["page"] });
    await one.write(
      1,
      batchOf(
        [
          { page: "a", views: 1 },
          { page: "b", views: 1 },
        ],
        "update",
      ),
    );
    await Promise.all([
      one.write(2, batchOf([{ page: "a", views: 2 }], "update")),
      two.write(1, batchOf([{ page: "b", views: 2 }], "update"), { query: "other" }),
    ]);
    expect(pages(await one.rows())).toEqual(["a2", "b2"]);
  });

  it("gives up, to be tried again, when others win every time", async () => {
    const store = memoryLogStore();
    const { write } = table({ store: { ...store, putIfAbsent: async () => false } });
    await expect(write(1, batchOf([{ page: "a" }]))).rejects.toThrow("[delta-contended]");
  });
});
