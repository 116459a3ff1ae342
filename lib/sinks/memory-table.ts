import type { Item } from "./dynamodb-item.js";
import type { ItemVersion, VersionedTable } from "./dynamodb-sink.js";

interface MemoryTable extends VersionedTable {
  items(): readonly Item[];
}

/** The memory twin of a table. */
export function memoryTable(key: readonly string[]): MemoryTable {
  const stored = new Map<string, ItemVersion & { readonly item: Item }>();
  return {
    putIfNewer: async (item, { incarnation, batchId, step }) => {
      const id = JSON.stringify(key.map((name) => item[name]));
      const standing = stored.get(id);
      const newer =
        standing === undefined ||
        standing.incarnation < incarnation ||
        (standing.incarnation === incarnation &&
          (standing.batchId < batchId || (standing.batchId === batchId && standing.step < step)));
      if (newer) stored.set(id, { item, incarnation, batchId, step });
      return newer;
    },
    items: () => [...stored].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { item }]) => item),
  };
}
