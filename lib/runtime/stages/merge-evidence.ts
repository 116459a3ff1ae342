import type { Registers, RingPosition } from "../../checkpoint/registers.js";
import { isRetired, shardKey } from "../../checkpoint/registers.js";
import type { PhysicalQuery } from "../../planner/physical-query.js";
import type { EntryHead, Marker, TickRecord } from "../../shuffle/shuffle-record.js";
import { MAX_STEPS } from "../../time/watermark-steps.js";
import { retireShards } from "../retire-shards.js";
import { recordDrained, recordRegister, recordShardList, recordSilence } from "../shard-registers.js";

/** Rows never speak for themselves in a state partition: all it knows of event times comes from markers and ticks (S16). */

export function mergeMarker(registers: Registers, { source, shard }: EntryHead, { register, list }: Marker): Registers {
  const listed = list === undefined ? registers : recordShardList(registers, source, list);
  return recordRegister(listed, shardKey(source, shard), register, stepsPerShard(listed));
}

/**
 * A look at a child is not its first record: it lets no parent go, for a look has no register of the ring's (S16) [CS8]. Shards retire here
 * alone, once a later list names them no more (S19).
 */
export function mergeTick(
  registers: Registers,
  query: Pick<PhysicalQuery, "watermarks">,
  { instant, lists, rings }: TickRecord,
): Registers {
  let next = registers;
  for (const [source, list] of Object.entries(lists)) next = recordShardList(next, source, list);
  for (const [source, shards] of Object.entries(rings))
    for (const [shard, look] of Object.entries(shards)) {
      const key = shardKey(source, shard);
      if (look.readThrough !== undefined) next = recordSilence(next, key, look.readThrough);
      if (look.closed) next = recordClosed(recordDrained(next, source, shard), key, instant);
    }
  for (const [source, list] of Object.entries(lists))
    next = retireShards(next, query, source, list, (shard) => {
      const closedAt = next.rings[shardKey(source, shard)]?.closedAt ?? null;
      return closedAt !== null && closedAt < instant;
    });
  return next;
}

/** Of an empty shard too, which has no entry. */
const NO_ENTRY: RingPosition = Object.freeze({ batchId: 0, part: 0, parts: 0, closedAt: null });

function recordClosed(registers: Registers, key: string, instant: number): Registers {
  const ring = registers.rings[key] ?? NO_ENTRY;
  if (ring.closedAt !== null || isRetired(registers, key)) return registers;
  return { ...registers, rings: { ...registers.rings, [key]: { ...ring, closedAt: instant } } };
}

/** All shards together keep some 2,048 steps per watermark node (S22): an entry stays within what an item may hold. */
const MOST_STEPS = 2_048;

export function stepsPerShard({ shardList, perShard }: Registers): number {
  const listed = Object.values(shardList).reduce((sum, list) => sum + list.length, 0);
  const shards = Math.max(1, listed, Object.keys(perShard).length);
  return Math.max(2, Math.min(MAX_STEPS, Math.floor(MOST_STEPS / shards)));
}
