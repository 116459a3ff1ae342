import { type ColumnBatch, rowBatch } from "../columns/column-batch.js";
import type { Row } from "../plan/schema.js";

/** Rows that an operator hands on at once at the end of a pass. */
const BATCH_ROWS = 1_000;

/** Rows that an operator made, in batches; no more of them are asked for than were taken. */
export function* inBatches(rows: Iterable<Row>): Generator<ColumnBatch, void> {
  let waiting: Row[] = [];
  for (const row of rows) {
    waiting.push(row);
    if (waiting.length < BATCH_ROWS) continue;
    yield rowBatch(waiting);
    waiting = [];
  }
  if (waiting.length > 0) yield rowBatch(waiting);
}
