/** Delta or outbox of an entry, manifest of a snapshot: within the item, or the unique key of an immutable object. */
export type StoredBlob = { readonly inline: Uint8Array } | { readonly key: string };

export const keyOf = (blob: StoredBlob | null): string | null => (blob !== null && "key" in blob ? blob.key : null);
