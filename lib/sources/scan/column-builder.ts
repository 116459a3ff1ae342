import { Dictionary, FULL } from "../../columns/dictionary.js";
import { NumberVector } from "../../columns/number-vector.js";
import { NO_TEXT, TextVector } from "../../columns/text-vector.js";
import { ValueVector } from "../../columns/value-vector.js";
import type { Vector } from "../../columns/vector.js";
import type { DataType } from "../../plan/schema.js";

/** What a column is built as, until a value comes that does not fit. */
type BuilderKind = "number" | "text" | "value";

/** A column of text of which more than half the rows of a batch are new is not worth numbering, once this many are known. */
const MANY_TEXTS = 4_096;
/** So many batches later it is tried again. */
const PLAIN_BATCHES = 64;

/** One column of a batch as it is filled, row by row. */
export class ColumnBuilder {
  values = new Float64Array(0);
  ids = new Int32Array(0);
  dictionary = new Dictionary();
  private readonly kind: BuilderKind;
  private nulls: Uint8Array | null = null;
  /** Not null: the column is built as plain values. */
  private plain: unknown[] | null = null;
  private plainBatches = 0;
  private knownBefore = 0;
  private rows = 0;

  constructor(type: DataType) {
    this.kind = kindOf(type);
  }

  begin(rows: number): void {
    this.rows = rows;
    this.nulls = null;
    this.plain = null;
    if (this.kind === "number") this.values = new Float64Array(rows);
    else if (this.kind === "value" || this.plainBatches > 0) this.plain = new Array(rows).fill(null);
    else this.ids = new Int32Array(rows).fill(NO_TEXT);
    this.knownBefore = this.dictionary.size;
  }

  /** Whether text goes by number: then the scanner may call `putText`. */
  get isInterned(): boolean {
    return this.plain === null;
  }

  putNumber(row: number, value: number): void {
    if (this.plain !== null) this.plain[row] = value;
    else this.values[row] = value;
  }

  /** Text by its bytes. */
  putText(bytes: Buffer, row: number, start: number, end: number, hash: number): void {
    const id = this.dictionary.intern(bytes, start, end, hash);
    if (id === FULL) this.put(row, bytes.toString("utf8", start, end));
    else this.ids[row] = id;
  }

  putNull(row: number): void {
    if (this.plain !== null) this.plain[row] = null;
    else if (this.kind === "text") this.ids[row] = NO_TEXT;
    else {
      this.nulls ??= new Uint8Array(this.rows);
      this.nulls[row] = 1;
    }
  }

  /** Any value, as the row decoder gives it. */
  put(row: number, value: unknown): void {
    if (value === null || value === undefined) this.putNull(row);
    else if (this.plain !== null) this.plain[row] = value;
    else if (this.kind === "number" && typeof value === "number") {
      this.values[row] = value;
      if (this.nulls !== null) this.nulls[row] = 0;
    } else {
      const id = this.kind === "text" && typeof value === "string" ? this.dictionary.internText(value) : FULL;
      if (id === FULL) this.toPlain()[row] = value;
      else this.ids[row] = id;
    }
  }

  finish(): Vector {
    if (this.plainBatches > 0) this.plainBatches--;
    if (this.plain !== null) return this.endText(new ValueVector(this.plain));
    if (this.kind === "number") return new NumberVector(this.values, this.nulls);
    return this.endText(new TextVector(this.ids, this.dictionary));
  }

  /** A value came that the vector cannot hold: what was put becomes plain values. */
  private toPlain(): unknown[] {
    const vector =
      this.kind === "number" ? new NumberVector(this.values, this.nulls) : new TextVector(this.ids, this.dictionary);
    this.plain = Array.from({ length: this.rows }, (_, row) => vector.get(row));
    return this.plain;
  }

  private endText<Made extends Vector>(vector: Made): Made {
    if (this.kind !== "text") return vector;
    const { size } = this.dictionary;
    const full = this.plain !== null && this.plainBatches === 0;
    if (!full && (size < MANY_TEXTS || (size - this.knownBefore) * 2 < this.rows)) return vector;
    this.dictionary = new Dictionary();
    this.plainBatches = PLAIN_BATCHES;
    return vector;
  }
}

function kindOf(type: DataType): BuilderKind {
  switch (type) {
    case "timestamp":
    case "timestamp_ntz":
    case "long":
    case "int":
    case "double":
      return "number";
    case "string":
      return "text";
    default:
      return "value";
  }
}
