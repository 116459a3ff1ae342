import type { ShuffleStream } from "./shuffle-stream.js";

/** A record as a reader of the stream gets it. */
interface ShuffledRecord {
  /** Decimal digits; ascending within a shard of the stream. */
  readonly sequence: string;
  readonly data: Uint8Array;
}

interface MemoryShuffleStream extends ShuffleStream {
  /** What was put for a partition since it was taken last. */
  take(partition: number): readonly ShuffledRecord[];
}

/** One shard per partition, first in, first out. */
export function memoryShuffleStream(): MemoryShuffleStream {
  const queues = new Map<number, ShuffledRecord[]>();
  let last = 0;
  return {
    putRecords: async (records) => {
      for (const { partition, data } of records) {
        const queue = queues.get(partition) ?? [];
        queues.set(partition, queue);
        queue.push({ sequence: String(++last), data });
      }
      return records.map(() => null);
    },
    take: (partition) => {
      const queue = queues.get(partition) ?? [];
      queues.delete(partition);
      return queue;
    },
  };
}
