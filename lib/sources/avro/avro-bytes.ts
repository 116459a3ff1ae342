import { Buffer } from "node:buffer";
import { Undecodable } from "../decoded-values.js";

/** Items that take no bytes, as those of an array of nulls, are counted against this. */
const SPARE_ITEMS = 1000;
const MAX_DEPTH = 64;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Avro's primitives, read strictly: avsc's own reader checks only at the end whether the bytes sufficed, so a made-up count keeps it
 * busy or fills the memory, and it rounds a long beyond 2^53.
 */
export class AvroBytes {
  private readonly buffer: Buffer;
  private at = 0;
  private items: number;
  private depth = 0;

  constructor(bytes: Uint8Array) {
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.items = bytes.length + SPARE_ITEMS;
  }

  byte(): number {
    return this.buffer[this.skip(1)]!;
  }

  boolean(): boolean {
    const byte = this.byte();
    if (byte > 1) throw new Undecodable("a boolean is neither 0 nor 1");
    return byte === 1;
  }

  int(): number {
    const value = this.long();
    if (typeof value === "bigint" || (value | 0) !== value) throw new Undecodable("an int is beyond 32 bits");
    return value;
  }

  /** A bigint beyond 2^53. */
  long(): number | bigint {
    let bits = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      bits |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (bits >= 1n << 64n) break;
        const value = (bits >> 1n) ^ -(bits & 1n);
        const small = Number(value);
        return Number.isSafeInteger(small) ? small : value;
      }
    }
    throw new Undecodable("a long is beyond 64 bits");
  }

  float(): number {
    return this.buffer.readFloatLE(this.skip(4));
  }

  double(): number {
    return this.buffer.readDoubleLE(this.skip(8));
  }

  fixed(size: number): Buffer {
    const start = this.skip(size);
    return this.buffer.subarray(start, start + size);
  }

  bytes(): Buffer {
    return this.fixed(this.size());
  }

  string(): string {
    const bytes = this.bytes();
    try {
      return UTF8.decode(bytes);
    } catch {
      throw new Undecodable("a string is not UTF-8");
    }
  }

  /** The blocks of an array or a map, item by item. */
  blocks(item: () => void): void {
    for (let count = this.long(); count !== 0; count = this.long()) {
      const end = count < 0 ? this.size() + this.at : undefined;
      const items = Math.abs(Number(count));
      this.items -= items;
      if (this.items < 0) throw new Undecodable("more items than bytes");
      for (let left = items; left > 0; left--) item();
      if (end !== undefined && end !== this.at) throw new Undecodable("a block has another size than it says");
    }
  }

  /** Reads something that nests, which a schema may do in itself. */
  within<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) throw new Undecodable(`nested deeper than ${MAX_DEPTH}`);
    const value = read();
    this.depth--;
    return value;
  }

  end(): void {
    const left = this.buffer.length - this.at;
    if (left > 0) throw new Undecodable(`${left} bytes after the value`);
  }

  private size(): number {
    const size = this.long();
    if (typeof size === "bigint" || size < 0 || size > this.buffer.length)
      throw new Undecodable("the value is cut off");
    return size;
  }

  private skip(count: number): number {
    const start = this.at;
    if (count > this.buffer.length - start) throw new Undecodable("the value is cut off");
    this.at += count;
    return start;
  }
}
