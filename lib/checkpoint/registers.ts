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

/** Values beside the state rows that every commit carries and every merge only grows (DATA.md section 7). */
export interface Registers {
  /** Watermark node id → its own watermark. */
  readonly perNodeWatermark: Readonly<Record<string, Watermark>>;
  /** `source/shard` → register. */
  readonly perShard: Readonly<Record<string, ShardRegister>>;
  /** Source name → live shards with their parents; null until listed. */
  readonly shardList: Readonly<Record<string, readonly ShardInfo[]>>;
  readonly processingTime: number;
  /** Earliest expiry of any state row, µs. */
  readonly oldestExpiry: number | null;
  /** Earliest processing-time timer, epoch ms. */
  readonly nextTimer: number | null;
  readonly drained: boolean;
}

export interface ShardInfo {
  readonly shard: string;
  readonly parents: readonly string[];
  /** Closed, all of it read, and its children are listed: it holds nothing back any more. */
  readonly drained?: true;
}
