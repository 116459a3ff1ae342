import { externalError } from "../errors.js";
import type { PartitionId } from "../sinks/sink.js";
import type { CheckpointLog, PartitionKey } from "./checkpoint-log.js";
import { decodeEntry, objectsOfEntry } from "./entry-codec.js";
import { incarnationPrefix, objectPrefix } from "./keys.js";
import { decodeManifest, objectsOf } from "./manifest-codec.js";
import type { ObjectStore } from "./object-store.js";

/** Between an upload and the application of a put that names it less than this passes: rule 5's check. */
const SWEEP_AFTER_MS = 48 * 3_600_000;

const MAX_POINTER_READS = 10;

/** Of rings and state partitions those that have objects: what has none has nothing to sweep (S24). */
export async function partitionsWithObjects(
  objects: ObjectStore,
  query: string,
  incarnation: string,
): Promise<readonly PartitionId[]> {
  const ids = await objects.folders(incarnationPrefix(query, incarnation));
  return ids.map((id) => (/^\d+$/.test(id) ? Number(id) : id));
}

export interface SweepOptions {
  readonly log: CheckpointLog;
  readonly objects: ObjectStore;
  readonly query: string;
  readonly incarnation: string;
  readonly partition: PartitionId;
  readonly ringSize: number;
  readonly newId: () => string;
}

/**
 * Rule 10, daily: deletes the objects that crashed attempts left behind. The order of its steps is the proof: list, then
 * pointer and manifest, then slots, then delete. It may freeze between any two of them; a read that fails ends it with nothing deleted.
 */
export async function sweepPartition(options: SweepOptions): Promise<{ readonly deleted: readonly string[] }> {
  const { log, objects, query, ringSize } = options;
  const at: PartitionKey = { incarnation: options.incarnation, partition: options.partition };
  const old = await listOld(objects, objectPrefix(query, at), options.newId());
  const named = new Set<string>(await namedBySnapshot(log, objects, at));
  const slots = await log.readSlots(
    at,
    Array.from({ length: ringSize }, (_, slot) => slot),
  );
  for (const item of slots) {
    if (item === null) continue;
    for (const key of objectsOfEntry(decodeEntry(item))) named.add(key);
  }
  const deleted = old.filter((key) => !named.has(key));
  await objects.delete(deleted);
  return { deleted };
}

/** By the store's own clock, which a fresh object tells. */
async function listOld(objects: ObjectStore, prefix: string, id: string): Promise<string[]> {
  const probe = `${prefix}sweep-${id}`;
  await objects.put(probe, new Uint8Array());
  const found: { readonly key: string; readonly modified: number }[] = [];
  let now = Number.NEGATIVE_INFINITY;
  for await (const object of objects.list(prefix)) {
    if (object.key === probe) now = object.modified;
    else found.push(object);
  }
  await objects.delete([probe]);
  return found.filter(({ modified }) => now - modified > SWEEP_AFTER_MS).map(({ key }) => key);
}

/** Never goes on without the manifest: gone means that the pointer has moved on. */
async function namedBySnapshot(log: CheckpointLog, objects: ObjectStore, at: PartitionKey): Promise<string[]> {
  for (let reads = 0; reads < MAX_POINTER_READS; reads++) {
    const pointer = await log.readPointer(at);
    if (pointer === null || pointer.manifestKey === null) return [];
    const bytes = pointer.inline ?? (await objects.get(pointer.manifestKey));
    if (bytes !== null) return [pointer.manifestKey, ...objectsOf(decodeManifest(bytes))];
  }
  throw externalError(
    "checkpoint-moving",
    "The snapshot moved on during each attempt to read it.",
    "Sweep again later.",
  );
}
