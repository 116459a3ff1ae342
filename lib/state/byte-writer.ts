/** A growing buffer. Integers are LEB128 varints, signed ones zigzag; numbers up to 2^53 - 1, without bit operations above 2^31. */
export interface ByteWriter {
  byte(value: number): void;
  /** 0 … 2^53 - 1. */
  varint(value: number): void;
  /** Any safe integer. */
  signed(value: number): void;
  double(value: number): void;
  bytes(value: Uint8Array): void;
  /** Length, then bytes. */
  block(value: Uint8Array): void;
  readonly length: number;
  finish(): Uint8Array;
}

export function byteWriter(initialBytes = 256): ByteWriter {
  let buffer = new Uint8Array(initialBytes);
  let view = new DataView(buffer.buffer);
  let length = 0;

  const room = (more: number) => {
    if (length + more <= buffer.length) return;
    const next = new Uint8Array(Math.max(buffer.length * 2, length + more));
    next.set(buffer.subarray(0, length));
    buffer = next;
    view = new DataView(buffer.buffer);
  };
  const varint = (value: number) => {
    room(8);
    let rest = value;
    while (rest > 0x7fffffff) {
      buffer[length++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest > 0x7f) {
      buffer[length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    buffer[length++] = rest;
  };
  const bytes = (value: Uint8Array) => {
    room(value.length);
    buffer.set(value, length);
    length += value.length;
  };

  return {
    byte(value) {
      room(1);
      buffer[length++] = value;
    },
    varint,
    /** Zigzag of a 53-bit integer needs 54 bits: the sign stands in the first byte, with six bits of the magnitude. */
    signed(value) {
      const magnitude = Math.abs(value);
      const low = magnitude % 64;
      const high = Math.floor(magnitude / 64);
      room(1);
      buffer[length++] = (high > 0 ? 0x80 : 0) | (value < 0 ? 0x40 : 0) | low;
      if (high > 0) varint(high);
    },
    double(value) {
      room(8);
      view.setFloat64(length, value, true);
      length += 8;
    },
    bytes,
    block(value) {
      varint(value.length);
      bytes(value);
    },
    get length() {
      return length;
    },
    finish: () => buffer.slice(0, length),
  };
}
