import type { Table } from "../../columns/table.js";
import { ValueVector } from "../../columns/value-vector.js";
import type { Vector } from "../../columns/vector.js";
import { ALL_NULL } from "../../columns/vector-table.js";
import { internalError } from "../../errors.js";
import type { Row } from "../../plan/schema.js";
import type { Payload, RowDecoder } from "../source.js";

/** The columns that a scanner has read of payloads; the others, and the row as an object, come from the row decoder when they are asked for. */
export class ScannedTable implements Table {
  private readonly isComplete: boolean;

  constructor(
    private readonly vectors: Map<string, Vector>,
    private readonly names: readonly string[],
    private readonly payloads: readonly Payload[],
    private readonly decode: RowDecoder,
    /** By payload; filled as they are decoded. */
    private readonly rows: (Row | undefined)[],
    private readonly cursors: (table: ScannedTable) => (row: number) => Row,
  ) {
    this.isComplete = vectors.size === names.length;
  }

  column(name: string): Vector {
    const known = this.vectors.get(name);
    if (known !== undefined) return known;
    if (!this.names.includes(name)) return ALL_NULL;
    const vector = new DecodedColumn(this, name);
    this.vectors.set(name, vector);
    return vector;
  }

  row(row: number): Row {
    const known = this.rows[row];
    if (known !== undefined) return known;
    const made = this.isComplete ? this.fromVectors(row) : this.decoded(row);
    this.rows[row] = made;
    return made;
  }

  cursor(): (row: number) => Row {
    return this.cursors(this);
  }

  private fromVectors(at: number): Row {
    const row: Row = {};
    for (const [name, vector] of this.vectors) row[name] = vector.get(at);
    return row;
  }

  private decoded(row: number): Row {
    const decoded = this.decode(this.payloads[row]!.data);
    if ("malformed" in decoded)
      throw internalError("scanner-disagrees", "A record was read by its columns, and is malformed as a row.");
    return decoded.row;
  }
}

/** A column that nobody was expected to read. */
class DecodedColumn implements Vector {
  constructor(
    private readonly table: ScannedTable,
    private readonly name: string,
  ) {}

  get(row: number): unknown {
    return this.table.row(row)[this.name] ?? null;
  }

  gather(rows: Int32Array): Vector {
    return new ValueVector(Array.from(rows, (row) => this.get(row)));
  }
}
