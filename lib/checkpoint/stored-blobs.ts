import type { ObjectKind } from "./keys.js";
import { newObjectKey, type Ring } from "./ring.js";
import type { StoredBlob } from "./stored-blob.js";

/** The objects that one attempt uploads, and when the oldest of them began (rule 5). */
export interface Uploads {
  readonly keys: string[];
  oldestUpload: number | null;
}

export const noUploads = (): Uploads => ({ keys: [], oldestUpload: null });

export async function upload(ring: Ring, uploads: Uploads, kind: ObjectKind, bytes: Uint8Array): Promise<StoredBlob> {
  const key = newObjectKey(ring, kind);
  await uploadAs(ring, uploads, key, bytes);
  return { key };
}

export async function uploadAs(ring: Ring, uploads: Uploads, key: string, bytes: Uint8Array): Promise<void> {
  uploads.oldestUpload = Math.min(uploads.oldestUpload ?? Number.POSITIVE_INFINITY, ring.options.now());
  uploads.keys.push(key);
  await ring.options.objects.put(key, bytes);
}

/** null: the object is gone. */
export const fetchBlob = async (ring: Ring, blob: StoredBlob): Promise<Uint8Array | null> =>
  "inline" in blob ? blob.inline : ring.options.objects.get(blob.key);

/** Deleting is a courtesy: what is left behind is the sweeper's. */
export async function deleteQuietly(ring: Ring, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  try {
    await ring.options.objects.delete(keys);
  } catch {
    // The sweeper will find them.
  }
}
