import type { Position } from "../sources/source.js";

/** Rule 4. Per shard key `source/shard`. */
export interface ShardOffsets {
  /** Null: nothing below the runs is known consumed. */
  readonly through: Position | null;
  /** Disjoint, ascending, all above `through`, at most K. */
  readonly runs: readonly Run[];
}

interface Run {
  readonly first: Position;
  readonly last: Position;
}

export type OffsetMap = ReadonlyMap<string, ShardOffsets>;

/** What a commit consumed of one shard: `first` delivered (skipped or not), `last` consumed. */
export interface OffsetUpdate extends Run {
  readonly shard: string;
}

/** K. */
export const MAX_RUNS = 64;

export const NO_OFFSETS: ShardOffsets = Object.freeze({ through: null, runs: Object.freeze([]) });

/** As integers: a longer number is the greater one, whatever its digits; then by sub-record. */
export function comparePositions(a: Position, b: Position): number {
  if (a.sequence !== b.sequence) {
    const left = significant(a.sequence);
    const right = significant(b.sequence);
    if (left.length !== right.length) return left.length - right.length;
    if (left !== right) return left < right ? -1 : 1;
  }
  return a.sub - b.sub;
}

const significant = (digits: string): string => (digits.startsWith("0") ? digits.replace(/^0+(?=\d)/, "") : digits);

/** Every record above it is fresh, with no run above; null while nothing is consumed. */
export const highestConsumed = ({ through, runs }: ShardOffsets): Position | null => runs.at(-1)?.last ?? through;

/** A record is skipped iff this holds; every other is processed. */
export const isConsumed = (offsets: ShardOffsets, at: Position): boolean =>
  (offsets.through !== null && comparePositions(at, offsets.through) <= 0) ||
  offsets.runs.some((run) => comparePositions(at, run.first) >= 0 && comparePositions(at, run.last) <= 0);

/** How many runs stand above a record that is not consumed. Above 0 it is out of order; above `MAX_RUNS / 2` records are in danger. */
export const runsAbove = (offsets: ShardOffsets, at: Position): number =>
  offsets.runs.filter((run) => comparePositions(run.first, at) > 0).length;

/**
 * Merged on intersection only: sequence numbers have gaps, so adjacency is never inferred.
 * `through` never goes down, also when the lowest of more than K runs falls off into it [CE7].
 */
export function recordRun(offsets: ShardOffsets, consumed: Run, maxRuns: number): ShardOffsets {
  let { first, last } = consumed;
  let through = offsets.through;
  const apart: Run[] = [];
  for (const run of offsets.runs) {
    if (comparePositions(run.first, last) > 0 || comparePositions(run.last, first) < 0) {
      apart.push(run);
    } else {
      first = lower(first, run.first);
      last = higher(last, run.last);
    }
  }
  if (through !== null && comparePositions(first, through) <= 0) through = higher(through, last);
  else apart.push({ first, last });
  const runs = apart.sort((a, b) => comparePositions(a.first, b.first));
  while (runs.length > maxRuns) {
    const lowest = runs.shift()!;
    through = through === null ? lowest.last : higher(through, lowest.last);
  }
  return { through, runs };
}

export function recordUpdates(offsets: OffsetMap, updates: readonly OffsetUpdate[], maxRuns: number): OffsetMap {
  if (updates.length === 0) return offsets;
  const next = new Map(offsets);
  for (const { shard, first, last } of updates) {
    next.set(shard, recordRun(next.get(shard) ?? NO_OFFSETS, { first, last }, maxRuns));
  }
  return next;
}

/** Rule 4: closed shards whose retention is over leave the map. */
export function forgetShards(offsets: OffsetMap, shards: readonly string[]): OffsetMap {
  if (!shards.some((shard) => offsets.has(shard))) return offsets;
  const next = new Map(offsets);
  for (const shard of shards) next.delete(shard);
  return next;
}

const lower = (a: Position, b: Position): Position => (comparePositions(a, b) <= 0 ? a : b);
const higher = (a: Position, b: Position): Position => (comparePositions(a, b) >= 0 ? a : b);
