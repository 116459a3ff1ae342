import { Buffer } from "node:buffer";
import { type JsonBytes, jsonBytes, SLACK_BYTES } from "./scan/json-skip.js";

const NEWLINE = 10;
const BOM = [0xef, 0xbb, 0xbf] as const;

/** Lines in one buffer, without their ends; a line end, or another control character, stands behind each. */
interface LineBlock {
  readonly text: JsonBytes;
  /** From where to before where: 2 numbers a line. */
  readonly bounds: readonly number[];
}

/**
 * The lines of a byte stream, as many at once as stand in what is read, blank ones left out. A line beyond `maxBytes` is cut there, one
 * byte over: enough for the decoder to call it too large, not enough to fill the memory.
 */
export async function* lineBlocks(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<LineBlock> {
  /** The begin of a line whose end has not come. */
  let rest: Uint8Array[] = [];
  let restLength = 0;
  let first = true;
  const keep = (part: Uint8Array) => {
    const room = maxBytes + 1 - restLength;
    if (room > 0 && part.length > 0) rest.push(part.subarray(0, room));
    restLength += Math.min(part.length, Math.max(0, room));
  };
  const blockOf = (whole: Uint8Array): LineBlock => {
    const text = withRoom([...rest, whole]);
    rest = [];
    restLength = 0;
    const length = text.bytes.length - SLACK_BYTES;
    const start = first && BOM.every((byte, at) => text.bytes[at] === byte) ? BOM.length : 0;
    first = false;
    return { text, bounds: boundsOf(text.bytes, start, length, maxBytes) };
  };
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) yield blockOf(chunk.subarray(0, end));
    // A copy: the reader may use its buffer again.
    keep(end === 0 ? chunk : chunk.slice(end));
  }
  if (restLength > 0) yield blockOf(new Uint8Array(0));
}

/** The parts in one buffer, with a line end and room for whoever reads more than a byte at a time. */
function withRoom(parts: readonly Uint8Array[]): JsonBytes {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = Buffer.allocUnsafeSlow(length + SLACK_BYTES);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  bytes.fill(NEWLINE, length);
  return jsonBytes(bytes);
}

function boundsOf(bytes: Buffer, from: number, length: number, maxBytes: number): number[] {
  const bounds: number[] = [];
  for (let start = from; start < length; ) {
    const end = bytes.indexOf(NEWLINE, start);
    if (!isBlank(bytes, start, end)) bounds.push(start, Math.min(end, start + maxBytes + 1));
    start = end + 1;
  }
  return bounds;
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte !== 32 && byte !== 9 && byte !== 13) return false;
  }
  return true;
}

/** The same lines, one by one: for who reads few, or each as it comes. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  for await (const { text, bounds } of lineBlocks(chunks, maxBytes)) {
    for (let i = 0; i < bounds.length; i += 2) yield text.bytes.subarray(bounds[i], bounds[i + 1]);
  }
}
