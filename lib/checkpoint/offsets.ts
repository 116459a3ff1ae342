import type { Position } from "../sources/source.js";

/** Rule 4. Per shard key `source/shard`. */
export interface ShardOffsets {
  /** Null: nothing below the runs is known consumed. */
  readonly through: Position | null;
  /** Disjoint, ascending, all above `through`, at most K = 64. */
  readonly runs: readonly Run[];
}

export interface Run {
  readonly first: Position;
  readonly last: Position;
}

export type OffsetMap = ReadonlyMap<string, ShardOffsets>;

/** What a commit consumed of one shard: `first` delivered (skipped or not), `last` consumed. */
export interface OffsetUpdate extends Run {
  readonly shard: string;
}
