import type { CommittedState } from "../state/committed-state.js";
import type { StateDelta } from "../state/state-delta.js";
import type { Manifest, Segment } from "./manifest-codec.js";
import { bucketOf, reachesInto, touchedBuckets } from "./segments.js";

/**
 * More runs than this are compacted by whoever must snapshot, whosever turn it is (rule 7). So many, because that rewrites the state however
 * little has changed: over 64 laps, ten rows a commit are worth the rewrite of a million. A cold load fetches runs side by side.
 */
export const MAX_CHANGE_RUNS = 64;

type SnapshotPlan =
  /** Rule 7: what laps appends one run and never rewrites the state. */
  | { readonly kind: "append"; readonly segments: readonly Segment[] }
  /** All runs go, so every bucket with a change in any of them is written anew; the others' segments are reused. */
  | {
      readonly kind: "compact";
      readonly segments: readonly Segment[];
      readonly rewrite: (bucket: number | null) => boolean;
    };

const bytesOf = (parts: readonly { readonly bytes: number }[]): number =>
  parts.reduce((sum, part) => sum + part.bytes, 0);

/** Rule 7: when runs outweigh segments. */
export const isCompactionDue = (base: Manifest | null): boolean =>
  base !== null && bytesOf(base.runs) > bytesOf(base.segments);

/** `changes`: the net change since `base`, which is null where there is no snapshot yet. */
export function planSnapshot(
  base: Manifest | null,
  state: CommittedState,
  changes: StateDelta,
  compact: boolean,
): SnapshotPlan {
  const segments = base?.segments ?? [];
  if (!compact && (base?.runs.length ?? 0) < MAX_CHANGE_RUNS) {
    const live = liveBuckets(state);
    return { kind: "append", segments: segments.filter(({ bucket }) => bucket === null || live.has(bucket)) };
  }
  const touches = [...(base?.runs ?? []), touchedBuckets(changes)];
  const changed = new Set(touches.flatMap(({ buckets }) => buckets));
  const expired = Math.max(...touches.map(({ expiredThrough }) => expiredThrough));
  const rewrite = (bucket: number | null) => changed.has(bucket) || reachesInto(expired, bucket);
  return { kind: "compact", segments: segments.filter(({ bucket }) => !rewrite(bucket)), rewrite };
}

/** Buckets that may hold a row: from the indexes by expiry, so that it costs what there is of expiries and not of rows. */
function liveBuckets(state: CommittedState): Set<number | null> {
  const live = new Set<number | null>();
  for (const table of state.tables.values()) {
    if (table.locate === "expiry") for (const expiry of table.buckets.keys()) live.add(bucketOf(expiry));
    else for (const minute of table.due.keys()) live.add(bucketOf(minute * 60_000_000));
  }
  return live;
}
