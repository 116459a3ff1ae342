import type { ColumnBatch } from "../columns/column-batch.js";
import type { LateRow } from "../operators/operator.js";
import type { Watermark } from "../time/event-time.js";

/** Rows that come after a drain are late, whatever their time, until a new incarnation. */
export const drainedRows = (batch: ColumnBatch, watermark: Watermark): LateRow[] =>
  Array.from(batch.selection, (row) => ({
    operatorId: "drain",
    row: batch.row(row),
    origin: batch.origin(row),
    eventTime: null,
    watermark,
    reason: "drained",
  }));
