/**
 * The hash of a text's bytes, taken four at a time for as long as all four are plain: printable ASCII, no quote, no backslash.
 * From the first four that are not, or that are no longer four, byte by byte. So whoever looks for the end of a JSON string can hash
 * it meanwhile, and comes to what `hashOf` says.
 */
export const HASH_SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

export const hashStep = (hash: number, wordOrByte: number): number => {
  const mixed = Math.imul(hash ^ wordOrByte, PRIME);
  return mixed ^ (mixed >>> 17);
};

export const hashEnd = (hash: number): number => hash ^ (hash >>> 15);

/** Of four bytes in one integer: subtraction borrows from the sign bit of a byte that is below, and only if there is one such. */
export const isPlainWord = (word: number): boolean =>
  (((word - 0x20202020) | ((word ^ 0x22222222) - 0x01010101) | ((word ^ 0x5c5c5c5c) - 0x01010101) | word) &
    0x80808080) ===
  0;

export function hashOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let hash = HASH_SEED;
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4) {
    const word = view.getInt32(at, true);
    if (!isPlainWord(word)) break;
    hash = hashStep(hash, word);
  }
  for (; at < bytes.length; at++) hash = hashStep(hash, bytes[at]!);
  return hashEnd(hash);
}
