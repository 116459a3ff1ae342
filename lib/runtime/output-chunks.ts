import { Buffer } from "node:buffer";
import type { Row } from "../plan/schema.js";

/** Rows are staged together until their text would be about this long: what they become fits in a pack. */
const CHUNK_BYTES = 4_000_000;

/** In order; by the rows alone, so that the same rows are divided alike however they came. */
export function outputChunks(rows: readonly Row[]): readonly (readonly Row[])[] {
  const chunks: Row[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = textBytes(row);
    if (chunks.length === 0 || bytes + size > CHUNK_BYTES) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)!.push(row);
    bytes += size;
  }
  return chunks;
}

/** About what a value takes as JSON, names included. */
function textBytes(value: unknown): number {
  switch (typeof value) {
    case "string":
      return value.length < 16 ? value.length + 3 : Buffer.byteLength(value) + 3;
    case "object":
      return value === null ? 5 : objectBytes(value);
    default:
      return 20;
  }
}

function objectBytes(value: object): number {
  if (value instanceof Uint8Array) return Math.ceil((value.length * 4) / 3) + 3;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += textBytes(item);
  else for (const name in value) bytes += name.length + 4 + textBytes((value as Record<string, unknown>)[name]);
  return bytes;
}
