/** Delta of an entry, pack of its output, manifest of a snapshot: within the item, or the unique key of an immutable object. */
export type StoredBlob = { readonly inline: Uint8Array } | { readonly key: string };

export const keyOf = (blob: StoredBlob | null): string | null => (blob !== null && "key" in blob ? blob.key : null);

/** A piece of an entry's output (rule A9), at most 4 MB unless one part alone is larger. */
export interface Pack {
  readonly blob: StoredBlob;
  /** How many steps it holds; null in entries of before: as many as its parts. */
  readonly steps: number | null;
}
