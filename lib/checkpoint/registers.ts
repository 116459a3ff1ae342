import type { Watermark } from "../time/event-time.js";
import type { WatermarkStep } from "../time/watermark-steps.js";

/** What a source keeps per shard (DESIGN.md section 4). */
export interface ShardRegister {
  /** Epoch ms: arrival of the last record read, or the instant, less a second, at which the tick found nothing. */
  readonly readThrough: number;
  readonly newestArrival: number;
  /** Epoch ms of the first look that found the shard empty, where it never had a record. */
  readonly silentSince?: number;
  /** Per watermark node id: at most 32 steps, merged towards the later arrival. */
  readonly steps: Readonly<Record<string, readonly WatermarkStep[]>>;
}

/** How far a state partition has read the records that the ring of a shard sends it (docs/design/partitions.md S13). */
export interface RingPosition {
  /** The last entry of which a part was consumed, and that part; parts are numbered from 1. */
  readonly batchId: number;
  readonly part: number;
  /** Of that entry. */
  readonly parts: number;
  /** Epoch ms of the first tick that called the shard closed, its last entry consumed; null: none did. */
  readonly closedAt: number | null;
}

/** The name of a shard of a source in registers and offsets. */
export const shardKey = (source: string, shard: string): string => `${source}/${shard}`;

/** Values beside the state rows that every commit carries and every merge only grows (DATA.md section 7). */
export interface Registers {
  /** Watermark node id → its own watermark. */
  readonly perNodeWatermark: Readonly<Record<string, Watermark>>;
  /** `shardKey` → register. */
  readonly perShard: Readonly<Record<string, ShardRegister>>;
  /** Source name → live shards with their parents; null until listed. */
  readonly shardList: Readonly<Record<string, readonly ShardInfo[]>>;
  readonly processingTime: number;
  /** Earliest expiry, µs, in the event-time tables that are located by it: when the next window ends. */
  readonly oldestExpiry: number | null;
  /** Earliest processing-time timer, epoch ms. */
  readonly nextTimer: number | null;
  readonly drained: boolean;
  /**
   * `shardKey` → its newest arrival: closed shards whose retention is over (protocol.md rule 4). It is all that is kept of them, and for
   * ever: their records are skipped, whatever their numbers. An entry carries those that it retires.
   */
  readonly retired: Readonly<Record<string, number>>;
  /** `shardKey` → position in its ring: in state partitions that are fed by a shuffle stage, and nowhere else. */
  readonly rings: Readonly<Record<string, RingPosition>>;
}

export interface ShardInfo {
  readonly shard: string;
  readonly parents: readonly string[];
  /** Closed, all of it read, and its children are listed: it holds nothing back any more. */
  readonly drained?: true;
}

export const NO_REGISTERS: Registers = Object.freeze({
  perNodeWatermark: Object.freeze({}),
  perShard: Object.freeze({}),
  shardList: Object.freeze({}),
  processingTime: 0,
  oldestExpiry: null,
  nextTimer: null,
  drained: false,
  retired: Object.freeze({}),
  rings: Object.freeze({}),
});

/**
 * state(n-1)'s registers with those of entry n. The ring's order is what makes this safe: n's writer had read n-1's values
 * and grown them, so
 * - watermarks per node, `readThrough`, `newestArrival`, `processingTime`: the higher one;
 * - `drained`: stays once set (until a new incarnation);
 * - `silentSince`: the first one; `steps` per node, `shardList` per source: the entry's, where it has any;
 * - `oldestExpiry`, `nextTimer`: the entry's, for they describe the rows of n;
 * - `rings`: the entry's, where it has any;
 * - `retired`: all of either. A retired shard stays so whatever later entries say: their writers had read n and speak of it no more.
 */
export function mergeRegisters(before: Registers, entry: Registers): Registers {
  return forgetRetired({
    perNodeWatermark: mergeRecords(before.perNodeWatermark, entry.perNodeWatermark, Math.max),
    perShard: mergeRecords(before.perShard, entry.perShard, mergeShard),
    shardList: mergeRecords(before.shardList, entry.shardList, (_, later) => later),
    processingTime: Math.max(before.processingTime, entry.processingTime),
    oldestExpiry: entry.oldestExpiry,
    nextTimer: entry.nextTimer,
    drained: before.drained || entry.drained,
    retired: mergeRecords(before.retired, entry.retired, Math.max),
    rings: mergeRecords(before.rings, entry.rings, (_, later) => later),
  });
}

export const isRetired = ({ retired }: Registers, key: string): boolean => Object.hasOwn(retired, key);

/** What stood of retired shards in registers and lists is gone. Nothing retired, nothing copied. */
export function forgetRetired(registers: Registers): Registers {
  if (Object.keys(registers.retired).length === 0) return registers;
  const lists = Object.entries(registers.shardList).map(([source, list]) => {
    const kept = list.filter(({ shard }) => !isRetired(registers, shardKey(source, shard)));
    return [source, kept.length < list.length ? kept : list] as const;
  });
  const living = <T>(record: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !isRetired(registers, key)));
  return {
    ...registers,
    perShard: living(registers.perShard),
    rings: living(registers.rings),
    shardList: Object.fromEntries(lists),
  };
}

function mergeShard(before: ShardRegister, entry: ShardRegister): ShardRegister {
  const silentSince = before.silentSince ?? entry.silentSince;
  return {
    readThrough: Math.max(before.readThrough, entry.readThrough),
    newestArrival: Math.max(before.newestArrival, entry.newestArrival),
    ...(silentSince === undefined ? {} : { silentSince }),
    steps: mergeRecords(before.steps, entry.steps, (_, later) => later),
  };
}

/** What an entry must carry: all single values, and of the records only what is not the very value that stood before. */
export const changedRegisters = (before: Registers, after: Registers): Registers => ({
  ...after,
  perNodeWatermark: changedFields(before.perNodeWatermark, after.perNodeWatermark),
  perShard: changedFields(before.perShard, after.perShard),
  shardList: changedFields(before.shardList, after.shardList),
  retired: changedFields(before.retired, after.retired),
  rings: changedFields(before.rings, after.rings),
});

function changedFields<T>(before: Readonly<Record<string, T>>, after: Readonly<Record<string, T>>): Record<string, T> {
  if (before === after) return {};
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value));
}

function mergeRecords<T>(
  before: Readonly<Record<string, T>>,
  entry: Readonly<Record<string, T>>,
  merge: (before: T, entry: T) => T,
): Readonly<Record<string, T>> {
  const changes = Object.entries(entry);
  if (changes.length === 0) return before;
  const merged = new Map(Object.entries(before));
  for (const [name, value] of changes) {
    const known = merged.get(name);
    merged.set(name, known === undefined ? value : merge(known, value));
  }
  return Object.fromEntries(merged);
}
