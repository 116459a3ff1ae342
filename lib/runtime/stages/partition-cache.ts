import type { StatePartition } from "../../checkpoint/state-partition.js";
import type { PartitionId } from "../../sinks/sink.js";

interface PartitionCache {
  /** Opened anew where it is not held: then its load is cold. */
  get(id: PartitionId): StatePartition;
  /** After use: how large its state is. The least recently used go until the sum fits again; never the one just used. */
  used(id: PartitionId, stateBytes: number): void;
}

/**
 * The rings and partitions that one environment holds (S21). Nothing says which environment gets which shard, so each holds what it
 * met last.
 */
export function partitionCache(open: (id: PartitionId) => StatePartition, maxStateBytes: number): PartitionCache {
  // In the order of their last use.
  const held = new Map<PartitionId, { readonly partition: StatePartition; readonly bytes: number }>();
  return {
    get(id) {
      const known = held.get(id);
      if (known !== undefined) return known.partition;
      const partition = open(id);
      held.set(id, { partition, bytes: 0 });
      return partition;
    },
    used(id, bytes) {
      const known = held.get(id);
      if (known === undefined) return;
      held.delete(id);
      held.set(id, { ...known, bytes });
      let sum = 0;
      for (const each of held.values()) sum += each.bytes;
      for (const [other, each] of held) {
        if (sum <= maxStateBytes || other === id) return;
        held.delete(other);
        sum -= each.bytes;
      }
    },
  };
}
