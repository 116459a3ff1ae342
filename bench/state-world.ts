import { memoryCheckpointLog } from "../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../lib/checkpoint/memory-object-store.js";
import { NO_REGISTERS } from "../lib/checkpoint/registers.js";
import type { EntryDraft, StatePartition } from "../lib/checkpoint/state-partition.js";
import { openStatePartition } from "../lib/checkpoint/state-partition-ring.js";
import { seededRandom } from "../lib/local/seeded-random.js";
import { windowPrefix } from "../lib/operators/group-key.js";
import type { StateStore, TableSpec } from "../lib/state/state-store.js";

const TABLE: TableSpec = { operatorId: "window-1", table: "groups", locate: "expiry" };
const SIZE_US = 300_000_000;
/** Keys per window: a state of n rows is n / KEYS windows. */
export const KEYS = 10_000;

/** What a commit sent to the two services. */
export interface Sent {
  /** Bodies of log entries, and of the deltas that stand in objects. */
  entryBytes: number;
  /** Segments, runs and manifests, in objects or in the item. */
  snapshotBytes: number;
}

/** A state partition whose rows are those of count + sum by window and short key, over a checkpoint in memory that weighs what it is sent. */
export function stateWorld() {
  const sent: Sent = { entryBytes: 0, snapshotBytes: 0 };
  const log = memoryCheckpointLog(Date.now);
  const objects = memoryObjectStore(Date.now);
  let id = 0;
  const open = (): StatePartition =>
    openStatePartition({
      log: {
        ...log,
        putSlot(at, slot, item, expected, guard) {
          sent.entryBytes += item.body.length;
          return log.putSlot(at, slot, item, expected, guard);
        },
        movePointer(at, next, expected, guard) {
          sent.snapshotBytes += next.inline?.length ?? 0;
          return log.movePointer(at, next, expected, guard);
        },
      },
      objects: {
        ...objects,
        put(key, bytes) {
          if (/\/(segment|run|manifest)-/.test(key)) sent.snapshotBytes += bytes.length;
          else sent.entryBytes += bytes.length;
          return objects.put(key, bytes);
        },
      },
      now: Date.now,
      newId: () => `id-${id++}`,
      query: "bench",
      incarnation: "000000000000001",
      partition: 0,
      generation: 1,
      tables: [TABLE],
    });
  return { sent, open };
}

export type Groups = StateStore<unknown[]>;

/** One micro-batch as the checkpoint sees it. */
export async function commit(partition: StatePartition, change: (groups: Groups) => void): Promise<void> {
  await partition.load();
  const staged = partition.stage();
  change(staged.table<unknown[]>(TABLE));
  await partition.commit(draft(partition.position().version + 1), staged, publish);
  await partition.publish(publish, () => false);
}

const publish = async (): Promise<void> => {};

const draft = (batchId: number): EntryDraft => ({
  offsets: [{ shard: "s/0", first: { sequence: `${batchId}`, sub: 0 }, last: { sequence: `${batchId}`, sub: 0 } }],
  registers: NO_REGISTERS,
  lastPassWatermark: batchId,
  watermark: batchId,
  outbox: [],
  progress: null,
});

/** Adds a row of the group's, as the operator does: a copy of what is stored, with the new sum. */
export function count(groups: Groups, window: number, key: number, value: number): void {
  const end = (window + 1) * SIZE_US;
  const stateKey = `${windowPrefix(window * SIZE_US, SIZE_US)}/p/${key}`;
  const [views, dwell] = (groups.get(stateKey, end) ?? [0, 0]) as [number, number];
  groups.put(stateKey, [views + 1, dwell + value], end);
}

export async function fill(partition: StatePartition, rows: number): Promise<void> {
  const random = seededRandom(7);
  for (let window = 0; window * KEYS < rows; window++) {
    const keys = Math.min(KEYS, rows - window * KEYS);
    await commit(partition, (groups) => {
      for (let key = 0; key < keys; key++) count(groups, window, key, Math.floor(random() * 30_000));
    });
  }
}
