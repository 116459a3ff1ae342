import type { Position } from "./source.js";

export interface ListedShard {
  readonly shard: string;
  readonly parents: readonly string[];
}

/**
 * What one look at a shard's end found: nothing after the position at `instant` (epoch ms, read before the look); records yet
 * to be delivered; or, all read, that the shard is closed and its children go on.
 */
export type ProbeResult =
  | { readonly found: "caught-up"; readonly instant: number }
  | { readonly found: "behind" }
  | { readonly found: "closed" };

/** Which shards a source has, and whether one of them is really silent: silence alone is no evidence. */
export interface ShardLister {
  listShards(): Promise<readonly ListedShard[]>;
  /** `after`: the last consumed record; null: from the oldest that is kept. */
  probe(shard: string, after: Position | null): Promise<ProbeResult>;
}
