import type { ObjectStore } from "./object-store.js";

/** What stands between the prefix and the next slash, of keys that have one. */
const foldersOf = (prefix: string, keys: readonly string[]): readonly string[] =>
  [
    ...new Set(
      keys
        .filter((key) => key.startsWith(prefix) && key.includes("/", prefix.length))
        .map((key) => key.slice(prefix.length, key.indexOf("/", prefix.length))),
    ),
  ].sort();

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
    folders: async (prefix) => foldersOf(prefix, [...objects.keys()]),
    async *list(prefix) {
      for (const [key, { bytes, modified }] of [...objects].sort(([a], [b]) => (a < b ? -1 : 1))) {
        if (key.startsWith(prefix)) yield { key, modified, size: bytes.length };
      }
    },
  };
}
