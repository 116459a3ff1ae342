import { describe, expect, it } from "vitest";
import type { Item } from "../../lib/sinks/dynamodb-item.js";
import type { VersionedTable } from "../../lib/sinks/dynamodb-sink.js";

/** A new table whose key is the string attribute `id`, and a look at the value that stands under an id. */
export type OpenTable = () => Promise<{
  readonly table: VersionedTable;
  readonly valueUnder: (id: string) => Promise<unknown>;
}>;

const item = (id: string, value: number): Item => ({ id: { S: id }, value: { N: String(value) } });

/** The law of `VersionedTable`. */
export function versionedTableContract(name: string, open: OpenTable): void {
  describe(`${name} as a versioned table`, () => {
    it("puts where nothing stands, and over older batches and incarnations only", async () => {
      const { table, valueUnder } = await open();
      const put = (value: number, incarnation: string, batchId: number) =>
        table.putIfNewer(item("a", value), { incarnation, batchId, step: 0 });
      expect(await put(1, "1704067200000", 9)).toBe(true);
      expect(await put(2, "1704067200000", 9)).toBe(false);
      expect(await put(3, "1704067200000", 8)).toBe(false);
      expect(await put(4, "1704067200000", 10)).toBe(true);
      expect(await valueUnder("a")).toEqual({ N: "4" });
      expect(await put(5, "1704067200001", 1)).toBe(true);
      expect(await put(6, "1704067200000", 99)).toBe(false);
      expect(await valueUnder("a")).toEqual({ N: "5" });
    });

    it("puts over earlier steps of the same batch, and over no later one [STEPS A11]", async () => {
      const { table, valueUnder } = await open();
      const put = (value: number, batchId: number, step: number) =>
        table.putIfNewer(item("a", value), { incarnation: "1704067200000", batchId, step });
      expect(await put(1, 9, 0)).toBe(true);
      expect(await put(2, 9, 500)).toBe(true);
      expect(await put(3, 9, 0)).toBe(false);
      expect(await put(4, 9, 500)).toBe(false);
      expect(await valueUnder("a")).toEqual({ N: "2" });
      expect(await put(5, 8, 1_000)).toBe(false);
      expect(await put(6, 10, 0)).toBe(true);
      expect(await put(7, 10, 500)).toBe(true);
      expect(await put(8, 9, 99_000)).toBe(false);
      expect(await valueUnder("a")).toEqual({ N: "7" });
    });

    it("keeps keys apart", async () => {
      const { table, valueUnder } = await open();
      const version = { incarnation: "1704067200000", batchId: 1, step: 0 };
      await Promise.all([table.putIfNewer(item("a", 1), version), table.putIfNewer(item("\u0000null", 2), version)]);
      expect([await valueUnder("a"), await valueUnder("\u0000null")]).toEqual([{ N: "1" }, { N: "2" }]);
    });
  });
}
