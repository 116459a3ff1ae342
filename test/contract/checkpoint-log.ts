import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckpointLog, PartitionKey, SlotItem, SnapshotPointer } from "../../lib/checkpoint/checkpoint-log.js";

export interface CheckpointLogUnderTest {
  /** A log of another query each time, so that tests do not meet. */
  make(clock: { now: number }): CheckpointLog;
  start?(): Promise<void>;
  stop?(): Promise<void>;
}

const FREE = { oldestUpload: null };
const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const at: PartitionKey = { incarnation: "000000000000001", partition: 0 };
const slot = (batchId: number, attemptId = `a${batchId}`): SlotItem => ({
  batchId,
  attemptId,
  generation: 1,
  body: bytes(`entry ${batchId}`),
});
const pointer = (batchId: number, manifestKey: string, inline?: Uint8Array): SnapshotPointer => ({
  batchId,
  manifestKey,
  generation: 1,
  ...(inline ? { inline } : {}),
});

/** The law of `CheckpointLog`; every implementation passes it. */
export function checkpointLogContract(name: string, { make, start, stop }: CheckpointLogUnderTest): void {
  describe(`the checkpoint log in ${name}`, () => {
    const clock = { now: 1_700_000_000_000 };
    if (start) beforeAll(start);
    if (stop) afterAll(stop);

    it("has nothing at first", async () => {
      const log = make(clock);
      expect(await log.readMeta()).toBeNull();
      expect(await log.readPointer(at)).toBeNull();
      expect(await log.readSlot(at, 3)).toBeNull();
      expect(await log.readSlots(at, [0, 1])).toEqual([null, null]);
    });

    it("creates meta once and gives the loser the one that stands", async () => {
      const log = make(clock);
      const results = await Promise.all(["a", "b", "c"].map((t) => log.createMeta({ revision: 1, body: bytes(t) })));
      const winners = results.filter((r) => r.created);
      expect(winners).toHaveLength(1);
      for (const { meta } of results) expect(meta).toEqual(winners[0]!.meta);
      expect(await log.readMeta()).toEqual(winners[0]!.meta);
    });

    it("replaces meta only at the expected revision", async () => {
      const log = make(clock);
      await log.createMeta({ revision: 1, body: bytes("one") });
      const two = { revision: 2, body: bytes("two") };
      expect(await log.replaceMeta(two, 1)).toEqual({ replaced: true, meta: two });
      expect(await log.replaceMeta({ revision: 2, body: bytes("other") }, 1)).toEqual({ replaced: false, meta: two });
      expect(await log.readMeta()).toEqual(two);
    });

    it("puts a slot only over what is expected, and returns what stands otherwise", async () => {
      const log = make(clock);
      expect(await log.putSlot(at, 1, slot(1), null, FREE)).toEqual({ outcome: "applied" });
      expect(await log.putSlot(at, 1, slot(1, "other"), null, FREE)).toEqual({ outcome: "refused", existing: slot(1) });
      expect(await log.putSlot(at, 1, slot(9), 5, FREE)).toEqual({ outcome: "refused", existing: slot(1) });
      expect(await log.putSlot(at, 1, slot(5), 1, FREE)).toEqual({ outcome: "applied" });
      expect(await log.readSlot(at, 1)).toEqual(slot(5));
      expect(await log.putSlot(at, 1, slot(1), null, FREE)).toEqual({ outcome: "refused", existing: slot(5) });
      expect(await log.putSlot(at, 2, slot(2), 1, FREE)).toEqual({ outcome: "refused", existing: null });
    });

    it("lets one of many racing writers win a slot", async () => {
      const log = make(clock);
      const results = await Promise.all([..."abcdefgh"].map((id) => log.putSlot(at, 1, slot(1, id), null, FREE)));
      expect(results.filter((r) => r.outcome === "applied")).toHaveLength(1);
      const standing = await log.readSlot(at, 1);
      for (const result of results) {
        if (result.outcome !== "applied") expect(result).toEqual({ outcome: "refused", existing: standing });
      }
    });

    it("reads slots in the order asked for, absent ones null", async () => {
      const log = make(clock);
      for (const n of [1, 2, 3]) await log.putSlot(at, n, slot(n), null, FREE);
      expect(await log.readSlots(at, [3, 0, 1])).toEqual([slot(3), null, slot(1)]);
    });

    it("keeps partitions and incarnations apart", async () => {
      const log = make(clock);
      await log.putSlot(at, 1, slot(1), null, FREE);
      await log.raisePublished(at, 1_000_001);
      for (const other of [
        { ...at, partition: 1 },
        { ...at, incarnation: "000000000000002" },
      ]) {
        expect(await log.readSlot(other, 1)).toBeNull();
        expect(await log.readPointer(other)).toBeNull();
      }
    });

    it("moves the pointer by its manifest key, inline or not, and never touches what was published", async () => {
      const log = make(clock);
      expect(await log.movePointer(at, pointer(1, "m1", bytes("inline")), null, FREE)).toEqual({ outcome: "applied" });
      await log.raisePublished(at, 7_000_002);
      const reached = { publishedThrough: 0, published: 7_000_002 };
      expect(await log.readPointer(at)).toEqual({ ...pointer(1, "m1", bytes("inline")), ...reached });
      const refused = { outcome: "refused", existing: await log.readPointer(at), sentOnce: true };
      expect(await log.movePointer(at, pointer(2, "m2"), null, FREE)).toEqual(refused);
      expect(await log.movePointer(at, pointer(2, "m2"), "m0", FREE)).toEqual(refused);
      expect(await log.movePointer(at, pointer(2, "m2"), "m1", FREE)).toEqual({ outcome: "applied" });
      expect(await log.readPointer(at)).toEqual({ ...pointer(2, "m2"), ...reached });
    });

    it("lets the first snapshot in where only what was published stands [CE9, CE-S4]", async () => {
      const log = make(clock);
      expect(await log.raisePublished(at, 3_000_001)).toBeNull();
      const reached = { publishedThrough: 0, published: 3_000_001 };
      expect(await log.readPointer(at)).toEqual({ batchId: 0, manifestKey: null, generation: 0, ...reached });
      expect(await log.movePointer(at, pointer(4, "m4"), null, FREE)).toEqual({ outcome: "applied" });
      expect(await log.readPointer(at)).toEqual({ ...pointer(4, "m4"), ...reached });
    });

    it("only ever raises what was published, and gives back what stands where it does not [E17]", async () => {
      const log = make(clock);
      await log.movePointer(at, pointer(2, "m2"), null, FREE);
      expect(await log.raisePublished(at, 3_000_000)).toBeNull();
      expect(await log.raisePublished(at, 5_000_004)).toBeNull();
      const standing = { ...pointer(2, "m2"), publishedThrough: 0, published: 5_000_004 };
      for (const lower of [4_000_009, 5_000_003, 5_000_004])
        expect(await log.raisePublished(at, lower)).toEqual(standing);
      expect(await log.readPointer(at)).toEqual(standing);
    });

    it("sends no put and no move whose oldest upload began more than 15 minutes ago", async () => {
      const log = make(clock);
      const old = { oldestUpload: clock.now - 15 * 60_000 - 1 };
      const young = { oldestUpload: clock.now - 15 * 60_000 };
      expect(await log.putSlot(at, 1, slot(1), null, old)).toEqual({ outcome: "stale-uploads" });
      expect(await log.movePointer(at, pointer(1, "m1"), null, old)).toEqual({ outcome: "stale-uploads" });
      expect(await log.readSlot(at, 1)).toBeNull();
      expect(await log.readPointer(at)).toBeNull();
      expect(await log.putSlot(at, 1, slot(1), null, young)).toEqual({ outcome: "applied" });
      expect(await log.movePointer(at, pointer(1, "m1"), null, young)).toEqual({ outcome: "applied" });
    });
  });
}
