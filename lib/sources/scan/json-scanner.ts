import type { Buffer } from "node:buffer";
import { HASH_SEED, hashEnd, hashStep, isPlainWord } from "../../columns/text-hash.js";
import type { Vector } from "../../columns/vector.js";
import type { DataType, Field, Schema } from "../../plan/schema.js";
import { type ColumnReader, columnReader, type ReaderContext } from "../column-reader.js";
import { ColumnBuilder } from "./column-builder.js";
import { isoReader } from "./iso-bytes.js";
import {
  DECLINED,
  ENDS_RUN,
  isNull,
  type JsonBytes,
  skipBlanks,
  skipNumber,
  skipString,
  skipValue,
  skipWide,
} from "./json-skip.js";
import { type MemberName, MemberNames } from "./member-names.js";

interface Column extends Field {
  readonly index: number;
  readonly kind: "text" | "integer" | "double" | "time" | "other";
  /** Null: nobody reads the column, its values are checked only. */
  readonly builder: ColumnBuilder | null;
  /** The row decoder's own, for all that is not read from bytes. */
  readonly read: ColumnReader;
  /** The last row that had it. */
  seenAt: number;
}

/** The highest of the blanks. */
const BLANK = 32;
const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const COLON = 58;
const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;

/** So many digits are a safe integer. */
const SAFE_DIGITS = 15;

/**
 * Reads JSON objects from their bytes into columns, each byte once, and checks the whole text. It takes a subset: for every payload
 * it either declines or gives what the row decoder gives, column by column. Whatever is rare (a member twice, an escape in a name, an
 * exponent in a long, a value that does not fit its column) it declines; members that nobody reads are checked all the same.
 */
export class JsonScanner {
  private readonly columns: readonly Column[];
  private readonly names: MemberNames<Column>;
  private readonly context: ReaderContext;
  private readonly readIso = isoReader();

  constructor(schema: Schema, wanted: ReadonlySet<string> | null, maxDepth: number) {
    this.context = { maxDepth, parsed: true, rounded: false, tooDeep: false };
    this.columns = schema.fields.map((field, index) => ({
      ...field,
      index,
      kind: kindOf(field.type),
      builder: wanted === null || wanted.has(field.name) ? new ColumnBuilder(field.type) : null,
      read: columnReader(field.type, this.context, field.reading),
      seenAt: -1,
    }));
    this.names = new MemberNames(this.columns);
  }

  begin(rows: number): void {
    for (const column of this.columns) {
      column.seenAt = -1;
      column.builder?.begin(rows);
    }
  }

  /** Puts in its place what the row decoder made of a row that was declined. */
  put(row: number, values: Readonly<Record<string, unknown>>): void {
    for (const { builder, name } of this.columns) builder?.put(row, values[name]);
  }

  finish(): Map<string, Vector> {
    const vectors = new Map<string, Vector>();
    for (const { builder, name } of this.columns) if (builder !== null) vectors.set(name, builder.finish());
    return vectors;
  }

  /** Whether the payload from `start` to before `end` was read into `row`. A control character stands at `end`. */
  scan(text: JsonBytes, start: number, end: number, row: number): boolean {
    const { bytes, view } = text;
    let p = bytes[start] === OPEN ? start : skipBlanks(bytes, start, end);
    if (bytes[p] !== OPEN) return false;
    p++;
    if (bytes[p]! <= BLANK) p = skipBlanks(bytes, p, end);
    let found = 0;
    let before: MemberName<Column> | null = null;
    let expected = this.names.first;
    let more = bytes[p] !== CLOSE;
    while (more) {
      if (bytes[p++] !== QUOTE) return false;
      let name = expected;
      if (name === null || !isAt(view, p, name)) {
        name = this.lookUp(text, p);
        if (name === null) return false;
        if (before === null) this.names.first = name;
        else before.next = name;
      }
      before = name;
      expected = name.next;
      p += name.bytes.length;
      if (bytes[p]! <= BLANK) p = skipBlanks(bytes, p, end);
      if (bytes[p++] !== COLON) return false;
      if (bytes[p]! <= BLANK) p = skipBlanks(bytes, p, end);
      const { column } = name;
      if (column === null) {
        p = bytes[p] === QUOTE ? skipString(text, p + 1) : skipValue(text, p, end);
      } else {
        if (column.seenAt === row) return false;
        column.seenAt = row;
        found++;
        p = this.readColumn(column, text, p, end, row);
      }
      if (p === DECLINED) return false;
      if (bytes[p]! <= BLANK) p = skipBlanks(bytes, p, end);
      more = bytes[p] === COMMA;
      if (!more) break;
      p++;
      if (bytes[p]! <= BLANK) p = skipBlanks(bytes, p, end);
    }
    if (bytes[p] !== CLOSE) return false;
    p++;
    if (p !== end && skipBlanks(bytes, p, end) !== end) return false;
    return found === this.columns.length || this.fillMissing(row);
  }

  /** The member whose name begins at `at`; null: it has an escape, or is none. */
  private lookUp(text: JsonBytes, at: number): MemberName<Column> | null {
    const { bytes } = text;
    const end = skipString(text, at);
    if (end === DECLINED) return null;
    for (let p = at; p < end; p++) if (bytes[p] === BACKSLASH) return null;
    return this.names.find(bytes, at, end);
  }

  private fillMissing(row: number): boolean {
    for (const { seenAt, nullable, builder } of this.columns) {
      if (seenAt === row) continue;
      if (!nullable) return false;
      builder?.putNull(row);
    }
    return true;
  }

  private readColumn(column: Column, text: JsonBytes, at: number, end: number, row: number): number {
    const { bytes } = text;
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      if (column.kind === "text") return this.readText(column, text, at + 1, row);
      if (column.kind === "time") return this.readTime(column, bytes, at + 1, row);
    } else if (byte === MINUS || (byte >= 48 && byte <= 57)) {
      if (column.kind === "integer") return this.readInteger(column, bytes, at, row);
      if (column.kind === "double") return this.readDouble(column, bytes, at, row);
      if (column.kind === "time") return this.readNumber(column, bytes, at, row);
    } else if (isNull(bytes, at)) {
      if (!column.nullable) return DECLINED;
      column.builder?.putNull(row);
      return at + 4;
    }
    return column.kind === "other" ? this.readOther(column, text, at, end, row) : DECLINED;
  }

  private readText({ builder }: Column, text: JsonBytes, start: number, row: number): number {
    const { bytes, view } = text;
    let p = start;
    let hash = HASH_SEED;
    for (let word = view.getInt32(p, true); isPlainWord(word); word = view.getInt32(p, true)) {
      hash = hashStep(hash, word);
      p += 4;
    }
    let byte = bytes[p]!;
    for (;;) {
      while (ENDS_RUN[byte] === 0) {
        hash = hashStep(hash, byte);
        byte = bytes[++p]!;
      }
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) return this.readEscaped(builder, text, start, row);
      const next = byte >= 128 ? skipWide(bytes, p) : DECLINED;
      if (next === DECLINED) return DECLINED;
      for (; p < next; p++) hash = hashStep(hash, bytes[p]!);
      byte = bytes[p]!;
    }
    if (builder !== null) {
      if (builder.isInterned) builder.putText(bytes, row, start, p, hashEnd(hash));
      else builder.put(row, bytes.toString("utf8", start, p));
    }
    return p + 1;
  }

  private readEscaped(builder: ColumnBuilder | null, text: JsonBytes, start: number, row: number): number {
    const after = skipString(text, start);
    if (after !== DECLINED) builder?.put(row, JSON.parse(text.bytes.toString("utf8", start - 1, after)));
    return after;
  }

  private readTime(column: Column, bytes: Buffer, start: number, row: number): number {
    let p = start;
    while (ENDS_RUN[bytes[p]!] === 0) p++;
    if (bytes[p] !== QUOTE) return DECLINED;
    const isPlain = column.type === "timestamp" && column.reading === undefined;
    let time = isPlain ? this.readIso(bytes, start, p) : Number.NaN;
    if (Number.isNaN(time)) {
      const read = this.ask(column, bytes.toString("latin1", start, p));
      if (typeof read !== "number") return DECLINED;
      time = read;
    }
    column.builder?.putNumber(row, time);
    return p + 1;
  }

  private readInteger({ builder, type }: Column, bytes: Buffer, at: number, row: number): number {
    const negative = bytes[at] === MINUS;
    const first = negative ? at + 1 : at;
    let p = first;
    let value = 0;
    let byte = bytes[p]!;
    while (byte >= 48 && byte <= 57) {
      value = value * 10 + (byte - 48);
      byte = bytes[++p]!;
    }
    const digits = p - first;
    if (digits === 0 || digits > SAFE_DIGITS || (bytes[first] === 48 && digits > 1)) return DECLINED;
    if (byte === 46 || byte === 101 || byte === 69) return DECLINED;
    // 0 - 0, not -0.
    const signed = negative ? 0 - value : value;
    if (type === "int" && (signed | 0) !== signed) return DECLINED;
    builder?.putNumber(row, signed);
    return p;
  }

  /** Few digits and no exponent: the quotient of two integers that a double holds is the nearest double, as the parser's is. */
  private readDouble(column: Column, bytes: Buffer, at: number, row: number): number {
    const negative = bytes[at] === MINUS;
    const first = negative ? at + 1 : at;
    let p = first;
    let value = 0;
    let scale = 1;
    let byte = bytes[p]!;
    while (byte >= 48 && byte <= 57) {
      value = value * 10 + (byte - 48);
      byte = bytes[++p]!;
    }
    const whole = p - first;
    if (byte === 46) {
      byte = bytes[++p]!;
      while (byte >= 48 && byte <= 57) {
        value = value * 10 + (byte - 48);
        scale *= 10;
        byte = bytes[++p]!;
      }
      if (scale === 1) return DECLINED;
    }
    if (whole === 0 || p - first > SAFE_DIGITS || (byte | 32) === 101) return this.readNumber(column, bytes, at, row);
    if (bytes[first] === 48 && whole > 1) return DECLINED;
    const read = value / scale;
    column.builder?.putNumber(row, negative ? -read : read);
    return p;
  }

  private readNumber(column: Column, bytes: Buffer, at: number, row: number): number {
    const after = skipNumber(bytes, at);
    if (after === DECLINED) return DECLINED;
    const read = this.ask(column, Number(bytes.toString("latin1", at, after)));
    if (typeof read !== "number") return DECLINED;
    column.builder?.putNumber(row, read);
    return after;
  }

  private readOther(column: Column, text: JsonBytes, at: number, end: number, row: number): number {
    const { bytes } = text;
    const after = skipValue(text, at, end);
    if (after === DECLINED) return DECLINED;
    const read = this.ask(column, JSON.parse(bytes.toString("utf8", at, after)));
    if (read === undefined) return DECLINED;
    column.builder?.put(row, read);
    return after;
  }

  /** As the row decoder reads the value; undefined: it does not fit, or not without its digits. */
  private ask({ read }: Column, value: unknown): unknown {
    this.context.rounded = false;
    const found = read(value, undefined);
    return this.context.rounded ? undefined : found;
  }
}

/** Four bytes at a time: names are a third of the text. */
function isAt(view: DataView, at: number, { words, bytes }: MemberName<unknown>): boolean {
  const length = bytes.length;
  if (at + length > view.byteLength) return false;
  for (let i = 0; i < words.length; i++) if (view.getInt32(at + i * 4, true) !== words[i]) return false;
  for (let i = words.length * 4; i < length; i++) if (view.getUint8(at + i) !== bytes[i]) return false;
  return true;
}

function kindOf(type: DataType): Column["kind"] {
  switch (type) {
    case "string":
      return "text";
    case "long":
    case "int":
      return "integer";
    case "double":
      return "double";
    case "timestamp":
    case "timestamp_ntz":
      return "time";
    default:
      return "other";
  }
}
