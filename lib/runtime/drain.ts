import type { Chunk, LateRow } from "../operators/operator.js";
import type { Watermark } from "../time/event-time.js";

/** Rows that come after a drain are late, whatever their time, until a new incarnation. */
export const drainedRows = ({ rows, origin }: Chunk, watermark: Watermark): LateRow[] =>
  rows.map((row, at) => ({
    operatorId: "drain",
    row,
    origin: origin?.[at] ?? null,
    eventTime: null,
    watermark,
    reason: "drained",
  }));
