import {
  type CheckpointLog,
  type MetaItem,
  NO_POINTER,
  type PartitionKey,
  type PointerItem,
  type SlotItem,
} from "./checkpoint-log.js";
import { isStale } from "./upload-guard.js";

/** The items of one query in memory, for tests and for runs that keep nothing. `now`: the wall clock of rule 5. */
export function memoryCheckpointLog(now: () => number): CheckpointLog {
  let meta: MetaItem | null = null;
  const pointers = new Map<string, PointerItem>();
  const slots = new Map<string, SlotItem>();
  const pointerAt = (at: PartitionKey) => `${at.incarnation}#${at.partition}`;
  const slotAt = (at: PartitionKey, slot: number) => `${pointerAt(at)}#${slot}`;

  return {
    readMeta: async () => meta,
    async createMeta(created) {
      if (meta !== null) return { created: false, meta };
      meta = created;
      return { created: true, meta };
    },
    async replaceMeta(next, expectedRevision) {
      if (meta === null || meta.revision !== expectedRevision) return { replaced: false, meta: meta ?? next };
      meta = next;
      return { replaced: true, meta };
    },
    readPointer: async (at) => pointers.get(pointerAt(at)) ?? null,
    readSlot: async (at, slot) => slots.get(slotAt(at, slot)) ?? null,
    readSlots: async (at, wanted) => wanted.map((slot) => slots.get(slotAt(at, slot)) ?? null),
    async putSlot(at, slot, item, expected, guard) {
      if (isStale(guard, now())) return { outcome: "stale-uploads" };
      const existing = slots.get(slotAt(at, slot)) ?? null;
      if ((existing?.batchId ?? null) !== expected) return { outcome: "refused", existing };
      slots.set(slotAt(at, slot), item);
      return { outcome: "applied" };
    },
    async movePointer(at, next, expectedManifestKey, guard) {
      if (isStale(guard, now())) return { outcome: "stale-uploads" };
      const existing = pointers.get(pointerAt(at)) ?? null;
      if ((existing?.manifestKey ?? null) !== expectedManifestKey) {
        return { outcome: "refused", existing, sentOnce: true };
      }
      const { publishedThrough, published } = existing ?? NO_POINTER;
      pointers.set(pointerAt(at), { ...next, publishedThrough, published });
      return { outcome: "applied" };
    },
    async raisePublished(at, published) {
      const existing = pointers.get(pointerAt(at)) ?? NO_POINTER;
      if (existing.published >= published) return existing;
      pointers.set(pointerAt(at), { ...existing, published });
      return null;
    },
  };
}
