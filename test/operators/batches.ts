import { type ColumnBatch, type Origins, rowBatch } from "../../lib/columns/column-batch.js";
import type { Aggregator } from "../../lib/operators/aggregates/aggregator.js";
import type { Reader } from "../../lib/operators/evaluate/reader.js";
import type { Row } from "../../lib/plan/schema.js";

export const originsOf = (records: readonly number[], source = 0): Origins => ({
  source,
  record: (row) => records[row]!,
});

/** Every row with its place as its record. */
export const placed = (rows: readonly Row[]): ColumnBatch => rowBatch(rows, originsOf([...rows.keys()]));

/** A reader that computes from the row as an object. */
export const onRow =
  (compute: (row: Row) => unknown): Reader =>
  (batch) =>
  (row) =>
    compute(batch.row(row));

/** The records that the selected rows came from. */
export const recordsOf = (batch: ColumnBatch): unknown[] =>
  Array.from(batch.selection, (row) => batch.origin(row)?.record);

export const add = (group: Aggregator, accumulator: unknown[], row: Row): void =>
  group.over(rowBatch([row]))(accumulator, 0);
