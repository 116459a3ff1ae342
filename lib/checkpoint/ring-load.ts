import { externalError, userError } from "../errors.js";
import { applyStateDelta } from "../state/committed-state.js";
import type { PointerItem, SlotItem } from "./checkpoint-log.js";
import { learnPointer, raise, readSlotFor, slotOf } from "./commit-ring.js";
import { decodeDelta } from "./delta-codec.js";
import { decodeEntry, type LogEntry, objectsOfEntry } from "./entry-codec.js";
import { forgetShards, recordUpdates } from "./offsets.js";
import { mergeRegisters } from "./registers.js";
import { initialCache, type RecentBatch, type Ring, type RingCache, settlePublished, supersede } from "./ring.js";
import { loadSnapshot, positionOf, readBase } from "./snapshot-loader.js";
import { fetchBlob } from "./stored-blobs.js";

const MAX_RESTARTS = 10;
/** What is gone below a pointer was overwritten, and then the pointer has moved. One that stands still so often names what is lost. */
const SAME_POINTER = 3;
/** Slots read at once; doubled as long as all of them held entries. */
const FIRST_READ = 2;

/** Rule 3 from the pointer on. The cache is replaced only by a state that was read whole. */
export async function loadCold(ring: Ring): Promise<void> {
  ring.cache = null;
  const refuseLost = lostAfter(ring);
  for (let restarts = 0; restarts < MAX_RESTARTS; restarts++) {
    const pointer = await readPointer(ring);
    refuseLost(pointer);
    const snapshot = await loadSnapshot(ring, pointer);
    if (snapshot === "gone") continue;
    const cache = snapshot.cache ?? initialCache(ring.options.tables);
    if ((await catchUp(ring, cache)) === "restart") continue;
    ring.cache = cache;
    return;
  }
  throw moving(ring);
}

const moving = (ring: Ring) =>
  externalError(
    "checkpoint-moving",
    `The checkpoint of ${ring.options.query} moved on during each of ${MAX_RESTARTS} attempts to load it.`,
    "It is retried; if it persists, fewer shards should share the state partition.",
  );

/** Throws at a pointer that was read too often in a row. */
function lostAfter(ring: Ring): (pointer: PointerItem | null) => void {
  let last: string | null | undefined;
  let times = 0;
  return (pointer) => {
    const key = pointer?.manifestKey ?? null;
    times = key === last ? times + 1 : 1;
    last = key;
    if (times <= SAME_POINTER) return;
    throw userError(
      "checkpoint-object-lost",
      `An object that the checkpoint of ${ring.options.query} names is not in the bucket.`,
      "Restore it from the bucket's versions, and let neither lifecycle rules nor people delete below checkpoints/; or reset the query.",
    );
  };
}

async function readPointer(ring: Ring): Promise<PointerItem | null> {
  const pointer = await ring.options.log.readPointer(ring.at);
  if (pointer !== null && pointer.generation > ring.options.generation) throw supersede(ring);
  ring.known = learnPointer(ring.known, pointer);
  return pointer;
}

/** Rule 3's loop from `cache.version + 1`; each entry applies whole or not at all. */
export function catchUp(ring: Ring, cache: RingCache): Promise<"head" | "restart"> {
  return followEntries(ring, cache, (entry) => applyEntry(ring, cache, entry));
}

/** `apply` returns false where the entry cannot be applied whole. */
async function followEntries(
  ring: Ring,
  cache: RingCache,
  apply: (entry: LogEntry) => Promise<boolean>,
): Promise<"head" | "restart"> {
  const { log, ringSize, generation } = ring.options;
  for (let width = FIRST_READ; ; width = Math.min(width * 2, ringSize)) {
    const first = cache.version + 1;
    const wanted = Array.from({ length: Math.min(width, ringSize) }, (_, i) => first + i);
    const items = await log.readSlots(
      ring.at,
      wanted.map((batchId) => slotOf(batchId, ringSize)),
    );
    for (const [i, batchId] of wanted.entries()) {
      const item = items[i] ?? null;
      const step = readSlotFor(batchId, item, generation);
      if (step === "superseded") throw supersede(ring);
      if (step === "restart-cold") return "restart";
      if (step === "head") {
        if (item === null) await refuseHole(ring, batchId, items.slice(i + 1));
        settlePublished(ring, cache);
        return "head";
      }
      if (!(await apply(decodeEntry(item!)))) return "restart";
    }
  }
}

/**
 * Nobody deletes slots: one that was written once, and whose batch another follows, is never absent. Read again before it counts as lost, for
 * slots are read in any order.
 */
async function refuseHole(ring: Ring, batchId: number, behind: readonly (SlotItem | null)[]): Promise<void> {
  const { log, ringSize } = ring.options;
  const readAgain = () => log.readSlot(ring.at, slotOf(batchId, ringSize));
  const next = behind.length > 0 ? behind[0]! : await log.readSlot(ring.at, slotOf(batchId + 1, ringSize));
  const isFollowed = batchId > ringSize || (next !== null && next.batchId > batchId) || ring.known.knownPub >= batchId;
  if (!isFollowed || (await readAgain()) !== null) return;
  throw userError(
    "checkpoint-item-lost",
    `The entry of batch ${batchId} of ${ring.options.query} is not in the table, and others build on it.`,
    "Restore the table and the bucket to one instant before it was deleted; or reset the query.",
  );
}

/** Rule 3 without the rows: all of the head's position, and an empty state. Read strictly in the same order, and thrown away. */
export async function lookCold(ring: Ring): Promise<RingCache> {
  const refuseLost = lostAfter(ring);
  for (let restarts = 0; restarts < MAX_RESTARTS; restarts++) {
    const pointer = await readPointer(ring);
    refuseLost(pointer);
    const snapshot = positionOf(ring, await readBase(ring, pointer));
    if (snapshot === "gone") continue;
    const cache = snapshot.cache ?? initialCache(ring.options.tables);
    const skipRows = async (entry: LogEntry) => {
      advance(ring, cache, entry, null);
      return true;
    };
    if ((await followEntries(ring, cache, skipRows)) === "head") return cache;
  }
  throw moving(ring);
}

/** false: its delta is gone, so the slot was overwritten meanwhile. */
export async function applyEntry(ring: Ring, cache: RingCache, entry: LogEntry): Promise<boolean> {
  const delta = entry.delta === null ? null : await fetchBlob(ring, entry.delta);
  if (entry.delta !== null && delta === null) return false;
  if (delta !== null) applyStateDelta(cache.state, decodeDelta(delta));
  advance(ring, cache, entry, delta);
  return true;
}

/**
 * All of state(n) but its rows, which the caller has applied. What entry n retires leaves here, never at a snapshot: so a cache that lived
 * through n and one loaded from any manifest, before n or after it, are equal.
 */
export function advance(ring: Ring, cache: RingCache, entry: LogEntry, delta: Uint8Array | null): void {
  const { batchId } = entry;
  cache.version = batchId;
  const moved = recordUpdates(cache.offsets, entry.offsets, ring.options.maxRuns);
  cache.offsets = forgetShards(moved, Object.keys(entry.registers.retired));
  cache.registers = mergeRegisters(cache.registers, entry.registers);
  cache.lastPassWatermark = entry.lastPassWatermark;
  cache.watermark = entry.watermark;
  cache.generation = entry.generation;
  remember(ring, cache, { batchId, delta: entry.delta, bytes: delta?.length ?? 0 });
  if (entry.outbox.length > 0 && batchId > ring.known.knownPub) cache.pending.set(batchId, entry.outbox);
  ring.known = raise(ring.known, { knownPub: entry.publishedThrough });
  const objects = objectsOfEntry(entry);
  if (objects.length > 0) ring.objectsOfEntry.set(batchId, objects);
  // Overwritten by others, who delete them.
  ring.objectsOfEntry.delete(batchId - ring.options.ringSize - 1);
}

/** The pointer is never more than R behind, so what is older can only matter to a base that is stale. */
function remember(ring: Ring, cache: RingCache, batch: RecentBatch): void {
  cache.recent.push(batch);
  if (cache.recent.length <= ring.options.ringSize) return;
  const dropped = cache.recent.shift()!;
  if (cache.base !== "forgotten" && (cache.base.manifest?.version ?? 0) < dropped.batchId) cache.base = "forgotten";
}
