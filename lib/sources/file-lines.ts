import { Buffer } from "node:buffer";

const NEWLINE = 10;
const BOM = [0xef, 0xbb, 0xbf] as const;

/**
 * The lines of a byte stream without their ends, blank ones left out. A line beyond `maxBytes` is cut there, one byte over: enough for the
 * decoder to call it too large, not enough to fill the memory.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let first = true;
  const keep = (part: Uint8Array) => {
    const room = maxBytes + 1 - length;
    if (room > 0 && part.length > 0) parts.push(part.subarray(0, room));
    length += Math.min(part.length, Math.max(0, room));
  };
  const take = (): Uint8Array => {
    const line = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
    parts = [];
    length = 0;
    const start = first && BOM.every((byte, at) => line[at] === byte) ? BOM.length : 0;
    first = false;
    return line.subarray(start);
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, at));
      from = at + 1;
      const line = take();
      if (!isBlank(line)) yield line;
    }
    keep(chunk.subarray(from));
  }
  const last = take();
  if (!isBlank(last)) yield last;
}

const isBlank = (line: Uint8Array): boolean => {
  for (const byte of line) if (byte !== 32 && byte !== 9 && byte !== 13) return false;
  return true;
};
