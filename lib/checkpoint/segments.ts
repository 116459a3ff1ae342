import type { CommittedState } from "../state/committed-state.js";
import { physicalRows } from "../state/committed-table.js";
import {
  composeDelta,
  type Expiry,
  emptyDelta,
  NOTHING_EXPIRED,
  type StateDelta,
  setChange,
  type TableDelta,
} from "../state/state-delta.js";
import type { Micros } from "../time/event-time.js";
import type { ChangeRun, Segment } from "./manifest-codec.js";

/** Expiries share a segment by the hour: a bucket is only an encoding, exact expiries stand in it. */
const BUCKET: Micros = 3_600_000_000;

export const bucketOf = (expiry: Expiry): number | null => (expiry === null ? null : Math.floor(expiry / BUCKET));

/** Whether some row of the bucket may have `expiry <= through`. */
export const reachesInto = (through: Micros, bucket: number | null): boolean =>
  bucket !== null && bucket * BUCKET <= through;

type MutableDelta = Map<string, TableDelta>;

/** Takes `later` over: what was decoded for this is not copied again. */
export function composeState(into: MutableDelta, later: StateDelta): void {
  for (const [id, delta] of later) {
    const table = into.get(id);
    if (table === undefined) into.set(id, delta);
    else composeDelta(table, delta);
  }
}

/** The rows of the wanted buckets, as inserts into nothing, in their order. */
export function rowsByBucket(
  state: CommittedState,
  wanted: (bucket: number | null) => boolean,
): Map<number | null, StateDelta> {
  const buckets = new Map<number | null, MutableDelta>();
  for (const [id, table] of state.tables) {
    for (const { expiry, key, value, order } of physicalRows(table)) {
      const bucket = bucketOf(expiry);
      if (!wanted(bucket)) continue;
      const tables = getOrMake(buckets, bucket, () => new Map<string, TableDelta>());
      setChange(getOrMake(tables, id, emptyDelta), expiry, key, { kind: "put", value, fresh: true, order });
    }
  }
  return buckets;
}

/** Which buckets a stretch of changes touches, for the manifest. */
export function touchedBuckets(delta: StateDelta): Pick<ChangeRun, "buckets" | "expiredThrough"> {
  const buckets = new Set<number | null>();
  let expiredThrough = NOTHING_EXPIRED;
  for (const table of delta.values()) {
    for (const expiry of table.changes.keys()) buckets.add(bucketOf(expiry));
    expiredThrough = Math.max(expiredThrough, table.expiredThrough);
  }
  return { buckets: [...buckets], expiredThrough };
}

export interface Loaded<Part> {
  readonly part: Part;
  readonly delta: StateDelta;
}

/**
 * Rule 3: a run applies to a bucket only if its last batch is above the `asOf` of the bucket's segment. So rows are put
 * together bucket by bucket, and only then as tables: a row that moved to another bucket stands in one of them alone.
 */
export function assemble(segments: readonly Loaded<Segment>[], runs: readonly Loaded<ChangeRun>[]): StateDelta {
  const images = new Map<number | null, MutableDelta>();
  const asOf = new Map<number | null, number>();
  for (const { part, delta } of segments) {
    asOf.set(part.bucket, part.asOf);
    composeState(getOrMake(images, part.bucket, newImage), delta);
  }
  for (const { part, delta } of [...runs].sort((a, b) => a.part.last - b.part.last)) {
    const parts = splitByBucket(delta);
    for (const bucket of parts.keys()) getOrMake(images, bucket, newImage);
    for (const [bucket, image] of images) {
      if (part.last <= (asOf.get(bucket) ?? 0)) continue;
      for (const [id, { expiredThrough }] of delta) {
        if (reachesInto(expiredThrough, bucket)) {
          composeDelta(getOrMake(image, id, emptyDelta), { expiredThrough, changes: new Map() });
        }
      }
      composeState(image, parts.get(bucket) ?? new Map());
    }
  }
  return joinImages(images);
}

const newImage = (): MutableDelta => new Map();

/** Changes alone; what expired is applied to every image before them. */
function splitByBucket(delta: StateDelta): Map<number | null, MutableDelta> {
  const parts = new Map<number | null, MutableDelta>();
  for (const [id, table] of delta) {
    for (const [expiry, changes] of table.changes) {
      const part = getOrMake(parts, bucketOf(expiry), newImage);
      getOrMake(part, id, emptyDelta).changes.set(expiry, changes);
    }
  }
  return parts;
}

/** Buckets have no expiry in common, so their images stand side by side. Onto an empty state removes and expiries mean nothing. */
function joinImages(images: ReadonlyMap<number | null, StateDelta>): StateDelta {
  const whole: MutableDelta = new Map();
  for (const image of images.values()) {
    for (const [id, table] of image) {
      const joined = getOrMake(whole, id, emptyDelta);
      for (const [expiry, changes] of table.changes) joined.changes.set(expiry, changes);
    }
  }
  return whole;
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
