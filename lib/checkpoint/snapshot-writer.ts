import type { TableDelta } from "../state/state-delta.js";
import { decodeDelta, encodeDelta } from "./delta-codec.js";
import { type ChangeRun, encodeManifest, type Manifest, type Segment } from "./manifest-codec.js";
import { newObjectKey, type Ring, type RingCache } from "./ring.js";
import { composeState, rowsByBucket, touchedBuckets } from "./segments.js";
import { isCompactionDue, planSnapshot } from "./snapshot-plan.js";
import { fetchBlob, noUploads, type Uploads, upload, uploadAs } from "./stored-blobs.js";

export interface WrittenSnapshot {
  readonly manifestKey: string;
  readonly manifest: Manifest;
  /** The manifest's bytes where they stand in the item. */
  readonly inline?: Uint8Array;
  readonly uploads: Uploads;
}

/** `lap`: the slot of n - R is wanted; `early`: deltas have grown; `compaction`: runs outweigh segments. */
export type SnapshotPurpose = "lap" | "early" | "compaction";

/** A state is tried whole only up to this many times the inline limit in memory: encoding it must stay cheap. */
const TRY_WHOLE = 32;

/** Uploads what is new of state(version) and encodes its manifest; nothing refers to it yet. `null`: no compaction is due; `gone`: a delta is, so that others have lapped. */
export async function writeSnapshot(
  ring: Ring,
  cache: RingCache,
  base: Manifest | null,
  purpose: SnapshotPurpose,
): Promise<WrittenSnapshot | "gone" | null> {
  if (purpose === "compaction" && !isCompactionDue(base)) return null;
  const uploads = noUploads();
  const whole = wholeState(ring, cache);
  if (whole !== null) return finish(ring, cache, { segments: whole, runs: [] }, uploads);

  const changes = await changesSince(ring, cache, base?.version ?? 0);
  if (changes === null) return "gone";
  const encoded = encodeDelta(changes);
  const plan = planSnapshot(base, cache.state, changes, purpose === "compaction");
  if (plan.kind === "compact") {
    const rewritten = [...rowsByBucket(cache.state, plan.rewrite)].map(async ([bucket, rows]): Promise<Segment> => {
      const bytes = encodeDelta(rows);
      return { bucket, asOf: cache.version, blob: await upload(ring, uploads, "segment", bytes), bytes: bytes.length };
    });
    return finish(ring, cache, { segments: [...plan.segments, ...(await Promise.all(rewritten))], runs: [] }, uploads);
  }
  const runs: ChangeRun[] = [...(base?.runs ?? [])];
  if (changes.size > 0) {
    const blob = await upload(ring, uploads, "run", encoded);
    const first = (base?.version ?? 0) + 1;
    runs.push({ first, last: cache.version, blob, bytes: encoded.length, ...touchedBuckets(changes) });
  }
  return finish(ring, cache, { segments: plan.segments, runs }, uploads);
}

/** The whole state inline, one segment per bucket, or null if it is too large for that. */
function wholeState(ring: Ring, cache: RingCache): Segment[] | null {
  const { inlineLimitBytes } = ring.options;
  if (cache.state.bytes > inlineLimitBytes * TRY_WHOLE) return null;
  const segments: Segment[] = [];
  let left = inlineLimitBytes;
  for (const [bucket, rows] of rowsByBucket(cache.state, () => true)) {
    const inline = encodeDelta(rows);
    segments.push({ bucket, asOf: cache.version, blob: { inline }, bytes: inline.length });
    left -= inline.length;
    if (left < 0) return null;
  }
  return segments;
}

/** One delta after another, so that no more than one is held beside their sum. Null: one is gone. */
async function changesSince(ring: Ring, cache: RingCache, version: number): Promise<Map<string, TableDelta> | null> {
  const changes = new Map<string, TableDelta>();
  for (const { batchId, delta } of cache.recent) {
    if (batchId <= version || delta === null) continue;
    const bytes = await fetchBlob(ring, delta);
    if (bytes === null) return null;
    composeState(changes, decodeDelta(bytes));
  }
  return changes;
}

async function finish(
  ring: Ring,
  cache: RingCache,
  rows: Pick<Manifest, "segments" | "runs">,
  uploads: Uploads,
): Promise<WrittenSnapshot> {
  const { version, generation, offsets, registers, lastPassWatermark, watermark } = cache;
  const manifest = { version, generation, offsets, registers, lastPassWatermark, watermark, ...rows };
  const manifestKey = newObjectKey(ring, "manifest");
  const bytes = encodeManifest(manifest);
  if (bytes.length <= ring.options.inlineLimitBytes) return { manifestKey, manifest, inline: bytes, uploads };
  await uploadAs(ring, uploads, manifestKey, bytes);
  return { manifestKey, manifest, uploads };
}
