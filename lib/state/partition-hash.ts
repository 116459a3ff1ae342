import type { DataType, Row } from "../plan/schema.js";
import { encodeKey } from "./key-codec.js";

const UTF8 = new TextEncoder();

/** Rows to partitions by their key columns, as those group: NULL, −0 and NaN by the state's key codec (S3). */
export function partitionOf(
  columns: readonly { readonly name: string; readonly type: DataType }[],
  partitions: number,
  seed: number,
): (row: Row) => number {
  const types = columns.map(({ type }) => type);
  return (row) => {
    const key = encodeKey(
      columns.map(({ name }) => row[name] ?? null),
      types,
    );
    return Math.floor((murmur3(UTF8.encode(key), seed) * partitions) / 2 ** 32);
  };
}

/** MurmurHash3, x86, 32 bits, as an unsigned number. */
export function murmur3(bytes: Uint8Array, seed: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length - (bytes.length % 4);
  let hash = seed | 0;
  for (let at = 0; at < whole; at += 4) {
    hash ^= scrambled(view.getInt32(at, true));
    hash = (Math.imul(rotated(hash, 13), 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let at = bytes.length - 1; at >= whole; at--) rest = (rest << 8) | bytes[at]!;
  if (bytes.length > whole) hash ^= scrambled(rest);
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const scrambled = (block: number): number => Math.imul(rotated(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);

const rotated = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));
