import { internalError } from "../errors.js";
import { applyStateDelta } from "../state/committed-state.js";
import type { PointerItem } from "./checkpoint-log.js";
import { decodeDelta } from "./delta-codec.js";
import { decodeManifest, type Manifest } from "./manifest-codec.js";
import { type Base, initialCache, NO_BASE, type Ring, type RingCache } from "./ring.js";
import { assemble, type Loaded } from "./segments.js";
import type { StoredBlob } from "./stored-blob.js";
import { fetchBlob } from "./stored-blobs.js";

/** `cache` null: there is no manifest yet. */
type SnapshotRead = "gone" | { readonly cache: RingCache | null };

export async function loadSnapshot(ring: Ring, pointer: PointerItem | null): Promise<SnapshotRead> {
  const base = await readBase(ring, pointer);
  if (base === "gone") return "gone";
  if (base.manifest === null) return { cache: null };
  const [segments, runs] = await Promise.all([
    fetchAll(ring, base.manifest.segments),
    fetchAll(ring, base.manifest.runs),
  ]);
  if (segments === null || runs === null) return "gone";
  const { cache } = positionOf(ring, base) as { readonly cache: RingCache };
  applyStateDelta(cache.state, assemble(segments, runs));
  return { cache };
}

/** state(V) but its rows. */
export function positionOf(ring: Ring, base: Base | "gone"): SnapshotRead {
  if (base === "gone") return "gone";
  if (base.manifest === null) return { cache: null };
  const { version, offsets, registers, lastPassWatermark, watermark, generation } = base.manifest;
  const position = { version, offsets, registers, lastPassWatermark, watermark, generation };
  return { cache: { ...initialCache(ring.options.tables), ...position, base } };
}

/** The manifest that the pointer names. */
export async function readBase(ring: Ring, pointer: PointerItem | null): Promise<Base | "gone"> {
  if (pointer === null || pointer.manifestKey === null) return NO_BASE;
  const { manifestKey, inline } = pointer;
  const bytes = inline ?? (await ring.options.objects.get(manifestKey));
  if (bytes === null) return "gone";
  const manifest = decodeManifest(bytes);
  checkAgrees(pointer, manifest);
  return { manifestKey, manifest, stored: inline === undefined };
}

async function fetchAll<Part extends { readonly blob: StoredBlob }>(
  ring: Ring,
  parts: readonly Part[],
): Promise<Loaded<Part>[] | null> {
  const blobs = await Promise.all(parts.map((part) => fetchBlob(ring, part.blob)));
  const loaded: Loaded<Part>[] = [];
  for (const [i, part] of parts.entries()) {
    const bytes = blobs[i];
    if (bytes == null) return null;
    loaded.push({ part, delta: decodeDelta(bytes) });
  }
  return loaded;
}

function checkAgrees(pointer: PointerItem, manifest: Manifest): void {
  if (manifest.version === pointer.batchId && manifest.generation === pointer.generation) return;
  throw internalError(
    "snapshot-mismatch",
    `The snapshot item names batch ${pointer.batchId}, its manifest batch ${manifest.version}.`,
  );
}
