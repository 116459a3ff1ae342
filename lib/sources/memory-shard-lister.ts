import { externalError } from "../errors.js";
import type { ListedShard, ProbeResult, ShardLister } from "./shard-lister.js";
import type { Position } from "./source.js";

/** A shard of a stream that there is only in memory. */
export interface MemoryShard extends ListedShard {
  /** Sequence numbers that wait to be delivered, ascending. */
  readonly sequences: readonly string[];
  /** How many user records the aggregate of a sequence number holds; one where it is not named. */
  readonly users?: Readonly<Record<string, number>>;
  readonly closed?: boolean;
  /** Reading it fails, as with a missing permission. */
  readonly unreadable?: boolean;
}

/** The memory twin of a stream's shards; `shards` may be changed between calls. */
export interface MemoryShardLister extends ShardLister {
  shards: readonly MemoryShard[];
}

/** @param now epoch ms: the instant of a look that finds a shard empty */
export function memoryShardLister(now: () => number, shards: readonly MemoryShard[] = []): MemoryShardLister {
  const lister: MemoryShardLister = {
    shards,
    listShards: async () => lister.shards.map(({ shard, parents }) => ({ shard, parents })),
    probe: async (name: string, after: Position | null): Promise<ProbeResult> => {
      const shard = lister.shards.find((candidate) => candidate.shard === name);
      const instant = now();
      if (shard === undefined || shard.unreadable) throw unreadable(name);
      const unread = shard.sequences.some((sequence) => {
        if (after === null || sequence !== after.sequence)
          return after === null || BigInt(sequence) > BigInt(after.sequence);
        return (shard.users?.[sequence] ?? 1) > after.sub + 1;
      });
      if (unread) return { found: "behind" };
      return shard.closed ? { found: "closed" } : { found: "caught-up", instant };
    },
  };
  return lister;
}

const unreadable = (shard: string) =>
  externalError("shard-unreadable", `Shard ${shard} cannot be read.`, "Give the list a readable shard of this name.");
