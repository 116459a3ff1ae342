import type { EventTime } from "./event-time.js";
import { highestBy, type WatermarkStep } from "./watermark-steps.js";

/** How the shards of one source make one watermark (DESIGN.md section 4). */
export type Across = "auto" | "max" | "min";

/** One shard as one watermark node sees it. */
export interface ShardEvidence {
  readonly name: string;
  /** A drained parent keeps its steps and holds nothing back. */
  readonly live: boolean;
  /** Everything that arrived before this instant (epoch ms) was read; −∞: nothing was ever read. */
  readonly readThrough: number;
  /** Epoch ms; 0: no record yet. */
  readonly newestArrival: number;
  /** Epoch ms since when nothing arrived, as far as it is known; +∞: not known. */
  readonly silentSince: number;
  readonly steps: readonly WatermarkStep[];
}

export interface ShardVerdict {
  /** Highest event time that may move the watermark; null: none yet. */
  readonly highest: EventTime | null;
  /** The shard that keeps a higher event time from counting, if one does. */
  readonly heldBackBy: string | null;
}

/** Highest event time of all that was read, whatever the lag: Spark's rule. */
export function acrossMax(shards: readonly ShardEvidence[]): ShardVerdict {
  let highest: EventTime | null = null;
  for (const shard of shards) highest = higher(highest, shard.steps.at(-1)?.maxEventTime ?? null);
  return { highest, heldBackBy: null };
}

/**
 * What Spark would have computed having read all that arrived by H, the lowest `readThrough` of the live shards.
 * Law: no row is late unless a row of its source that arrived no later is newer by more than the delay; for a row still
 * unread arrived at or after its shard's `readThrough`, hence at or after H.
 */
export function acrossAuto(shards: readonly ShardEvidence[]): ShardVerdict {
  const slowest = slowestOf(shards);
  if (slowest === null) return acrossMax(shards);
  let highest: EventTime | null = null;
  for (const shard of shards) highest = higher(highest, highestBy(shard.steps, slowest.readThrough));
  const read = acrossMax(shards).highest;
  return { highest, heldBackBy: read !== null && (highest === null || highest < read) ? slowest.name : null };
}

/** Flink's rule: the minimum over live shards; one known caught up and silent for `idleTimeoutMs` does not count. */
export function acrossMin(shards: readonly ShardEvidence[], idleTimeoutMs: number | null): ShardVerdict {
  const isIdle = (shard: ShardEvidence) =>
    idleTimeoutMs !== null && shard.readThrough - shard.silentSince >= idleTimeoutMs;
  const live = shards.filter((shard) => shard.live);
  const counting = live.filter((shard) => !isIdle(shard));
  let lowest: EventTime | null = null;
  let heldBackBy: string | null = null;
  for (const shard of counting) {
    const latest = shard.steps.at(-1)?.maxEventTime ?? null;
    if (latest === null) return { highest: null, heldBackBy: shard.name };
    if (lowest === null || latest < lowest) {
      lowest = latest;
      heldBackBy = shard.name;
    }
  }
  if (counting.length === 0) return acrossMax(live);
  return { highest: lowest, heldBackBy: lowest === acrossMax(live).highest ? null : heldBackBy };
}

export function slowestOf(shards: readonly ShardEvidence[]): ShardEvidence | null {
  let slowest: ShardEvidence | null = null;
  for (const shard of shards)
    if (shard.live && (slowest === null || shard.readThrough < slowest.readThrough)) slowest = shard;
  return slowest;
}

export const higher = (a: EventTime | null, b: EventTime | null): EventTime | null =>
  a === null ? b : b === null ? a : Math.max(a, b);
