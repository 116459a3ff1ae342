import { type ColumnBatch, rowBatch } from "../columns/column-batch.js";
import type { Row } from "../plan/schema.js";

/** Keeps the rows that `keep` accepts, by their number in the table. */
export function keepRows(batch: ColumnBatch, keep: (row: number) => boolean): ColumnBatch {
  const { selection } = batch;
  const kept = new Int32Array(selection.length);
  let count = 0;
  for (let k = 0; k < selection.length; k++) {
    const row = selection[k]!;
    if (keep(row)) kept[count++] = row;
  }
  return batch.select(kept.subarray(0, count));
}

/** Every row becomes none, one or several; the origin goes with each. */
export function expandRows(batch: ColumnBatch, expand: (row: number) => Iterable<Row>): ColumnBatch {
  const { selection, origins } = batch;
  const rows: Row[] = [];
  const records: number[] = [];
  for (let k = 0; k < selection.length; k++) {
    for (const row of expand(selection[k]!)) {
      rows.push(row);
      if (origins !== null) records.push(origins.record(selection[k]!));
    }
  }
  return rowBatch(rows, origins === null ? null : { source: origins.source, record: (row) => records[row]! });
}

/** The first rows of a batch. */
export const firstOf = (batch: ColumnBatch, count: number): ColumnBatch =>
  batch.select(batch.selection.subarray(0, Math.max(count, 0)));
