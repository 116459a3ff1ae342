import type { CheckpointLog, PartitionKey } from "../../lib/checkpoint/checkpoint-log.js";
import { decodeEntry, objectsOfEntry } from "../../lib/checkpoint/entry-codec.js";
import { decodeManifest, objectsOf } from "../../lib/checkpoint/manifest-codec.js";
import type { ObjectStore } from "../../lib/checkpoint/object-store.js";
import type { Judge } from "./violation.js";

interface NamedObjects {
  readonly log: (log: CheckpointLog) => CheckpointLog;
  readonly objects: ObjectStore;
}

/**
 * Rules 7 and 10 at every step: what the pointer or a slot names is there, from the moment that it is named until it is named no more.
 * `moved`: a pointer has moved.
 */
export function namedObjects(store: ObjectStore, judge: Judge, moved: () => void): NamedObjects {
  const standing = new Set<string>();
  const named = new Map<string, readonly string[]>();

  const check = (place: string, keys: readonly string[]): void => {
    const gone = keys.find((key) => !standing.has(key));
    judge.check(gone === undefined, "named-objects-stand", () => `${place} names ${gone}, which is not there`);
  };
  const name = (place: string, keys: readonly string[]): void => {
    named.set(place, keys);
    check(place, keys);
  };
  const placeOf = ({ incarnation }: PartitionKey, what: string) => `${incarnation} ${what}`;

  return {
    log: (log) => ({
      ...log,
      async putSlot(at, slot, item, expected, guard) {
        const result = await log.putSlot(at, slot, item, expected, guard);
        if (result.outcome === "applied") name(placeOf(at, `slot ${slot}`), objectsOfEntry(decodeEntry(item)));
        return result;
      },
      async movePointer(at, next, expected, guard) {
        const result = await log.movePointer(at, next, expected, guard);
        if (result.outcome !== "applied") return result;
        const { manifestKey, inline } = next;
        const bytes = inline ?? (await store.get(manifestKey!));
        const keys = inline === undefined ? [manifestKey!] : [];
        name(placeOf(at, "pointer"), [...keys, ...(bytes === null ? [] : objectsOf(decodeManifest(bytes)))]);
        moved();
        return result;
      },
    }),
    objects: {
      ...store,
      async put(key, bytes) {
        standing.add(key);
        await store.put(key, bytes);
      },
      async delete(keys) {
        await store.delete(keys);
        if (keys.filter((key) => standing.delete(key)).length === 0) return;
        for (const [place, names] of named) check(place, names);
      },
    },
  };
}
