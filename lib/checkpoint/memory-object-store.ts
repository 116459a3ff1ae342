import type { ObjectStore } from "./object-store.js";

/** `now`: the store's own clock. */
export function memoryObjectStore(now: () => number): ObjectStore {
  const objects = new Map<string, { readonly bytes: Uint8Array; readonly modified: number }>();
  return {
    async put(key, bytes) {
      objects.set(key, { bytes: bytes.slice(), modified: now() });
    },
    get: async (key) => objects.get(key)?.bytes.slice() ?? null,
    async delete(keys) {
      for (const key of keys) objects.delete(key);
    },
    async *list(prefix) {
      for (const [key, { bytes, modified }] of [...objects].sort(([a], [b]) => (a < b ? -1 : 1))) {
        if (key.startsWith(prefix)) yield { key, modified, size: bytes.length };
      }
    },
  };
}
