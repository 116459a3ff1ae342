import type { Item } from "./dynamodb-item.js";
import type { VersionedTable } from "./dynamodb-sink.js";

interface MemoryTable extends VersionedTable {
  items(): readonly Item[];
}

/** The memory twin of a table. */
export function memoryTable(key: readonly string[]): MemoryTable {
  const stored = new Map<string, { item: Item; incarnation: string; batchId: number }>();
  return {
    putIfNewer: async (item, { incarnation, batchId }) => {
      const id = JSON.stringify(key.map((name) => item[name]));
      const standing = stored.get(id);
      const newer =
        standing === undefined ||
        standing.incarnation < incarnation ||
        (standing.incarnation === incarnation && standing.batchId < batchId);
      if (newer) stored.set(id, { item, incarnation, batchId });
      return newer;
    },
    items: () => [...stored].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { item }]) => item),
  };
}
