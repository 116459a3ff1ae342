import type { LogStore } from "./log-store.js";

interface MemoryLogStore extends LogStore {
  readonly objects: ReadonlyMap<string, Uint8Array>;
  /** As the table's owner may, behind a writer's back. */
  delete(key: string): void;
}

export function memoryLogStore(): MemoryLogStore {
  const objects = new Map<string, Uint8Array>();
  return {
    objects,
    delete: (key) => void objects.delete(key),
    async put(key, bytes) {
      objects.set(key, bytes.slice());
    },
    async putIfAbsent(key, bytes) {
      if (objects.has(key)) return false;
      objects.set(key, bytes.slice());
      return true;
    },
    get: async (key) => objects.get(key)?.slice() ?? null,
    list: async (prefix, after) => [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort(),
  };
}
