import type { Chunk, LateRow } from "../operators/operator.js";
import type { Watermark } from "../time/event-time.js";

/**
 * What a drain evicts with. Expiries are whole microseconds and safe integers, so none lies beyond it; being finite, it can
 * be stored like any other watermark.
 */
export const DRAIN_WATERMARK: Watermark = Math.floor(Number.MAX_SAFE_INTEGER / 1000);

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
