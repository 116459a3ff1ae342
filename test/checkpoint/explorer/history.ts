import { expect } from "vitest";
import type { CheckpointLog } from "../../../lib/checkpoint/checkpoint-log.js";
import { decodeEntry } from "../../../lib/checkpoint/entry-codec.js";
import type { StatePartition } from "../../../lib/checkpoint/state-partition.js";
import type { PublishIdentity } from "../../../lib/sinks/sink.js";
import type { TableSpec } from "../../../lib/state/state-store.js";

/** Every record leaves one row, and moves one that is shared: a lost or repeated delta shows in either. */
export const seen: TableSpec = { operatorId: "records", table: "seen", locate: "expiry" };
export const totals: TableSpec = { operatorId: "records", table: "totals", locate: "key" };

/** Records share a bucket of expiries by tens, and the bucket goes when a record forty further on comes. */
export const expiryOf = (record: number): number => Math.floor(record / 10) * 3_600_000_000;
export const expiredBy = (record: number): number => expiryOf(record - 40);

/** What was committed, as the store's own order has it: P1 is checked as it happens. */
export interface History {
  /** `batches[n - 1]`: the records of batch n. */
  readonly batches: number[][];
  /** Records in the order in which they first appeared. */
  readonly published: number[];
  observe(log: CheckpointLog): CheckpointLog;
  publish(identity: PublishIdentity, bytes: Uint8Array): void;
  /** P2, P4: the environment stands on the fold of the first `version` batches, and on nothing else. */
  checkState(partition: StatePartition): void;
  /** P3. */
  checkPublished(through: number): void;
}

export function newHistory(): History {
  const batches: number[][] = [];
  const published: number[] = [];
  let generation = 0;
  return {
    batches,
    published,
    observe: (log) => ({
      ...log,
      async putSlot(at, slot, item, expected, guard) {
        const result = await log.putSlot(at, slot, item, expected, guard);
        if (result.outcome === "applied") {
          expect(item.batchId, "P1: each batch follows the one before").toBe(batches.length + 1);
          expect(item.generation, "rule 13: no older code after newer").toBeGreaterThanOrEqual(generation);
          generation = item.generation;
          const records = decodeEntry(item).progress as number[];
          for (const record of records) {
            expect(batches.flat(), `P2: record ${record} is committed once`).not.toContain(record);
          }
          batches.push(records);
        }
        return result;
      },
    }),
    publish({ batchId }, bytes) {
      const record = Number(Buffer.from(bytes).toString());
      expect(batches[batchId - 1], `P3: batch ${batchId} is published as committed`).toContain(record);
      if (published.includes(record)) return;
      expect(record, "rules 8, A4: steps appear in the order of the history").toBe(batches.flat()[published.length]);
      published.push(record);
    },
    checkState(partition) {
      const { version } = partition.position();
      const staged = partition.stage();
      expect([...staged.table(seen).rows()], `P4: seen at ${version}`).toEqual(foldSeen(batches.slice(0, version)));
      expect([...staged.table(totals).rows()], `P4: totals at ${version}`).toEqual(
        foldTotals(batches.slice(0, version)),
      );
    },
    checkPublished(through) {
      const committed = batches.slice(0, through).flat();
      expect(published.slice(0, committed.length), `P3: output through batch ${through} is published`).toEqual(
        committed,
      );
    },
  };
}

function foldSeen(batches: readonly number[][]) {
  let rows: { key: string; value: unknown; expiry: number }[] = [];
  for (const records of batches) {
    for (const record of records) {
      rows = rows.filter(({ expiry }) => expiry > expiredBy(record));
      rows.push({ key: `r${record}`, value: [record, 1], expiry: expiryOf(record) });
    }
  }
  return rows.sort((a, b) => a.expiry - b.expiry);
}

/** Rows move between buckets: the last record of a key decides its expiry. */
function foldTotals(batches: readonly number[][]) {
  const rows = new Map<string, { key: string; value: unknown; expiry: number }>();
  for (const record of batches.flat()) {
    const key = `k${record % 3}`;
    const before = rows.get(key)?.value as { count: number } | undefined;
    rows.set(key, { key, value: { count: (before?.count ?? 0) + 1, last: record }, expiry: expiryOf(record) + 1 });
  }
  return [...rows.values()];
}
