import { Buffer } from "node:buffer";
import { hashOf } from "./text-hash.js";

/** Entries and bytes beyond which a dictionary takes no more: a column of all-different text would hold every text that ever came. */
const MAX_ENTRIES = 65_536;
const MAX_BYTES = 4 * 1024 * 1024;
/** Whoever can choose texts can choose such that collide: a search that takes longer is given up, and costs no more than this. */
const MAX_PROBES = 48;
const FREE = -1;

/**
 * Texts by their UTF-8 bytes, numbered as they come: open addressing over the bytes themselves, so that a text known already costs
 * neither a string nor a copy. What it holds, it holds until it is dropped.
 */
export class Dictionary {
  private slots = new Int32Array(64).fill(FREE);
  private hashes = new Int32Array(32);
  private ends = new Int32Array(32);
  private bytes = Buffer.alloc(0);
  private readonly texts: (string | undefined)[] = [];
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** About what it holds in memory. */
  get heldBytes(): number {
    return this.bytes.length + this.slots.byteLength + this.hashes.byteLength + this.ends.byteLength + this.count * 48;
  }

  /** The number of the text from `start` to before `end`, valid UTF-8, under `hashOf` of its bytes; `FULL`: it is not held, and will not be. */
  intern(source: Uint8Array, start: number, end: number, hash: number): number {
    const { slots, hashes, ends, bytes } = this;
    const mask = slots.length - 1;
    const length = end - start;
    let slot = hash & mask;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const id = slots[slot]!;
      if (id === FREE) return this.add(source, start, end, hash, slot);
      if (hashes[id] === hash) {
        const from = id === 0 ? 0 : ends[id - 1]!;
        if (ends[id]! - from === length) {
          let same = 0;
          while (same < length && bytes[from + same] === source[start + same]) same++;
          if (same === length) return id;
        }
      }
      slot = (slot + 1) & mask;
    }
    return FULL;
  }

  /** As `intern`; also `FULL` where UTF-8 cannot say the text: half a surrogate pair. */
  internText(text: string): number {
    if (/\p{Surrogate}/u.test(text)) return FULL;
    const bytes = Buffer.from(text, "utf8");
    return this.intern(bytes, 0, bytes.length, hashOf(bytes));
  }

  text(id: number): string {
    const known = this.texts[id];
    if (known !== undefined) return known;
    const text = this.bytes.toString("utf8", id === 0 ? 0 : this.ends[id - 1]!, this.ends[id]!);
    this.texts[id] = text;
    return text;
  }

  private add(source: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const id = this.count;
    const from = id === 0 ? 0 : this.ends[id - 1]!;
    const to = from + end - start;
    if (id >= MAX_ENTRIES || to > MAX_BYTES) return FULL;
    if (to > this.bytes.length) this.bytes = grown(this.bytes, Buffer.allocUnsafeSlow(Math.max(512, 2 * to)));
    if (id === this.ends.length) {
      this.ends = grown(this.ends, new Int32Array(id * 2));
      this.hashes = grown(this.hashes, new Int32Array(id * 2));
    }
    for (let i = start, at = from; i < end; i++) this.bytes[at++] = source[i]!;
    this.ends[id] = to;
    this.hashes[id] = hash;
    this.texts.push(undefined);
    this.slots[slot] = id;
    this.count++;
    if (this.count * 2 > this.slots.length) this.rehash();
    return id;
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 2).fill(FREE);
    const mask = slots.length - 1;
    for (let id = 0; id < this.count; id++) {
      let slot = this.hashes[id]! & mask;
      while (slots[slot] !== FREE) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.slots = slots;
  }
}

export const FULL = -2;

const grown = <Array extends Uint8Array | Int32Array>(from: Array, into: Array): Array => {
  into.set(from);
  return into;
};
