import { externalError, internalError } from "../errors.js";
import { afterMove, learnPointer, learnSnapshot } from "./commit-ring.js";
import { objectsOf } from "./manifest-codec.js";
import { type Base, type Ring, type RingCache, supersede } from "./ring.js";
import { loadCold } from "./ring-load.js";
import { readBase } from "./snapshot-loader.js";
import { type SnapshotPurpose, type WrittenSnapshot, writeSnapshot } from "./snapshot-writer.js";
import { deleteQuietly } from "./stored-blobs.js";

const MAX_ATTEMPTS = 5;

/**
 * Rule 7 for n = `cache.version`; everything up to n must be published. `reloaded`: another environment was ahead and the
 * cache is a newer state now.
 */
export async function snapshot(ring: Ring, purpose: SnapshotPurpose): Promise<"done" | "reloaded"> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const cache = ring.cache!;
    if (cache.pending.size > 0) throw internalError("snapshot-before-publish", "A snapshot would hide staged output.");
    const base = await currentBase(ring, cache);
    if (base === "ahead") {
      // After a commit nothing more may be loaded: the newer state's pending output would have to be published first (rule 9).
      if (purpose !== "lap") return "done";
      await loadCold(ring);
      return "reloaded";
    }
    if (base === "gone") continue;
    const enough = purpose === "lap" ? cache.version + 1 - ring.options.ringSize : cache.version;
    if (ring.known.knownSnap >= enough) return "done";
    const written = await writeSnapshot(ring, cache, base.manifest, purpose);
    if (written === "gone") {
      cache.base = "forgotten";
      continue;
    }
    if (written === null || (await install(ring, cache, base, written))) return "done";
  }
  throw externalError(
    "snapshot-contended",
    `No snapshot of ${ring.options.query} could be installed in ${MAX_ATTEMPTS} attempts.`,
    "It is retried with the next delivery.",
  );
}

/** The base, read anew where it was forgotten; `ahead`: the pointer is newer than the cache. */
async function currentBase(ring: Ring, cache: RingCache): Promise<Base | "ahead" | "gone"> {
  if (cache.base !== "forgotten") return cache.base;
  const pointer = await ring.options.log.readPointer(ring.at);
  if (pointer !== null && pointer.generation > ring.options.generation) throw supersede(ring);
  ring.known = learnPointer(ring.known, pointer);
  if ((pointer?.batchId ?? 0) > cache.version) return "ahead";
  const base = await readBase(ring, pointer);
  if (base !== "gone") rebase(cache, base);
  return base;
}

async function install(ring: Ring, cache: RingCache, base: Base, written: WrittenSnapshot): Promise<boolean> {
  const { manifestKey, manifest, inline, uploads } = written;
  const pointer = { batchId: manifest.version, manifestKey, generation: manifest.generation };
  const next = inline === undefined ? pointer : { ...pointer, inline };
  const moved = await ring.options.log.movePointer(ring.at, next, base.manifestKey, uploads);
  const step = afterMove(manifestKey, ring.options.generation, moved);
  switch (step.step) {
    case "installed":
      ring.known = learnSnapshot(ring.known, manifest.version);
      ring.garbage.push(...leftBehind(base, written));
      rebase(cache, { manifestKey, manifest, stored: inline === undefined });
      return true;
    case "superseded":
      throw supersede(ring);
    case "lost":
      ring.known = learnSnapshot(ring.known, step.knownSnap);
      cache.base = "forgotten";
      if (step.deleteUploads) await deleteQuietly(ring, uploads.keys);
      return false;
    default:
      // Unknown or stale: it may have been applied, so nothing is deleted and the pointer is read before the next attempt.
      cache.base = "forgotten";
      return false;
  }
}

function rebase(cache: RingCache, base: Base): void {
  cache.base = base;
  const version = base.manifest?.version ?? 0;
  cache.recent = cache.recent.filter(({ batchId }) => batchId > version);
}

/** objects(base) - objects(new), manifest included: the winner's to delete. */
function leftBehind(base: Base, { manifest }: WrittenSnapshot): string[] {
  if (base.manifest === null) return [];
  const kept = new Set(objectsOf(manifest));
  const before = base.stored && base.manifestKey !== null ? [base.manifestKey] : [];
  return [...before, ...objectsOf(base.manifest)].filter((key) => !kept.has(key));
}
