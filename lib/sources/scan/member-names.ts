import { Buffer } from "node:buffer";
import { hashOf } from "../../columns/text-hash.js";

/** Names of members that are no columns, remembered so that the next record's are known: beyond these they are looked at anew. */
const MAX_FOREIGN = 128;

/** A member's name as it stands in the text, with its closing quote. */
export interface MemberName<Column> {
  readonly bytes: Uint8Array;
  /** The same, four at a time, without what is left over. */
  readonly words: Int32Array;
  /** Null: it is no column. */
  readonly column: Column | null;
  /** What followed it in the last record that had it: a guess about speed, never about meaning. */
  next: MemberName<Column> | null;
}

/** The members that records have had: the columns, and whatever else comes. */
export class MemberNames<Column extends { readonly name: string }> {
  /** What the last record began with. */
  first: MemberName<Column> | null = null;
  private readonly byHash = new Map<number, MemberName<Column>[]>();
  private foreign = 0;

  constructor(columns: readonly Column[]) {
    for (const column of columns) this.add(Uint8Array.from(Buffer.from(`${column.name}"`, "utf8")), column);
  }

  /** The name from `start` to its closing quote, which stands at `end - 1`. */
  find(bytes: Uint8Array, start: number, end: number): MemberName<Column> {
    for (const name of this.byHash.get(hashOf(bytes.subarray(start, end))) ?? [])
      if (matches(name, bytes, start, end)) return name;
    const bytesOfName = Uint8Array.from(bytes.subarray(start, end));
    if (this.foreign >= MAX_FOREIGN)
      return { bytes: bytesOfName, words: wordsOf(bytesOfName), column: null, next: null };
    this.foreign++;
    return this.add(bytesOfName, null);
  }

  private add(bytes: Uint8Array, column: Column | null): MemberName<Column> {
    const hash = hashOf(bytes);
    const name: MemberName<Column> = { bytes, words: wordsOf(bytes), column, next: null };
    const others = this.byHash.get(hash);
    if (others === undefined) this.byHash.set(hash, [name]);
    else others.push(name);
    return name;
  }
}

function wordsOf(bytes: Uint8Array): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Int32Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => view.getInt32(i * 4, true));
}

function matches({ bytes: name }: MemberName<unknown>, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name[i]) return false;
  return true;
}
