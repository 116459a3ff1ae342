import type { Row } from "../plan/schema.js";
import { rowTable } from "./row-table.js";
import type { Table } from "./table.js";
import type { Vector } from "./vector.js";

/** Which record of which source a row came from: `source` is the index of the source node in the plan, `record` the index in its delivery. */
export interface Origin {
  readonly source: number;
  readonly record: number;
}

/** The origins of a table's rows, all of one source. */
export interface Origins {
  readonly source: number;
  /** The record of a row. */
  readonly record: (row: number) => number;
}

/**
 * Rows in flight: those of a table that are selected, in order. A filter selects, it does not copy; so operators walk
 * `selection` and ask vectors by what stands there. Without origins: rows that a stateful operator made (DATA.md section 4).
 */
export class ColumnBatch {
  constructor(
    readonly table: Table,
    readonly selection: Int32Array,
    readonly origins: Origins | null,
  ) {}

  get length(): number {
    return this.selection.length;
  }

  column(name: string): Vector {
    return this.table.column(name);
  }

  row(row: number): Row {
    return this.table.row(row);
  }

  /** As `Table.cursor`. */
  cursor(): (row: number) => Row {
    return this.table.cursor();
  }

  origin(row: number): Origin | null {
    return this.origins === null ? null : { source: this.origins.source, record: this.origins.record(row) };
  }

  /** The batch itself, if all are kept. */
  select(kept: Int32Array): ColumnBatch {
    return kept.length === this.selection.length ? this : new ColumnBatch(this.table, kept, this.origins);
  }

  /** The row at this place of the selection, alone. */
  only(place: number): ColumnBatch {
    return this.select(this.selection.subarray(place, place + 1));
  }

  /** All selected rows as objects. */
  rows(): Row[] {
    const rows: Row[] = [];
    for (let k = 0; k < this.selection.length; k++) rows.push(this.table.row(this.selection[k]!));
    return rows;
  }
}

/** Rows that are objects already, as a batch. */
export const rowBatch = (rows: readonly Row[], origins: Origins | null = null): ColumnBatch =>
  new ColumnBatch(rowTable(rows), firstRows(rows.length), origins);

let ascending = Int32Array.from({ length: 1024 }, (_, row) => row);

/** 0, 1, 2, …: a view of one array that all batches share. */
export function firstRows(count: number): Int32Array {
  if (count > ascending.length) ascending = Int32Array.from({ length: count * 2 }, (_, row) => row);
  return count === ascending.length ? ascending : ascending.subarray(0, count);
}

export const NO_ROWS: ColumnBatch = rowBatch([]);
