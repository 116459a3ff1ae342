import { internalError } from "../errors.js";

/** The other half of `byteWriter`. Reading past the end, or a varint above 2^53 - 1, fails with `corrupt-bytes`. */
export interface ByteReader {
  byte(): number;
  varint(): number;
  signed(): number;
  double(): number;
  /** A view, not a copy. */
  bytes(length: number): Uint8Array;
  block(): Uint8Array;
  readonly done: boolean;
  readonly remaining: number;
}

const corrupt = (what: string) => internalError("corrupt-bytes", `Stored bytes are damaged: ${what}.`);

export function byteReader(source: Uint8Array): ByteReader {
  // A Buffer's slice would not copy.
  const buffer = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  let at = 0;

  const byte = () => {
    const value = buffer[at++];
    if (value === undefined) throw corrupt("they end too early");
    return value;
  };
  const varint = () => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const next = byte();
      value += (next & 0x7f) * scale;
      if (next < 0x80) break;
      scale *= 128;
      if (scale > 2 ** 49) throw corrupt("an integer is too long");
    }
    if (value > Number.MAX_SAFE_INTEGER) throw corrupt("an integer is too large");
    return value;
  };
  const bytes = (length: number) => {
    if (at + length > buffer.length) throw corrupt("they end too early");
    at += length;
    return buffer.subarray(at - length, at);
  };

  return {
    byte,
    varint,
    signed() {
      const first = byte();
      const low = first & 0x3f;
      const magnitude = first & 0x80 ? low + varint() * 64 : low;
      if (magnitude > Number.MAX_SAFE_INTEGER) throw corrupt("an integer is too large");
      return first & 0x40 ? -magnitude : magnitude;
    },
    double() {
      if (at + 8 > buffer.length) throw corrupt("they end too early");
      at += 8;
      return view.getFloat64(at - 8, true);
    },
    bytes,
    block: () => bytes(varint()),
    get done() {
      return at === buffer.length;
    },
    get remaining() {
      return buffer.length - at;
    },
  };
}
