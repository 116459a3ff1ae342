/**
 * Epoch milliseconds with the fraction kept to the microsecond, in canonical form (`canonical`).
 * Inside the engine every timestamp value is this number; its schema says that it is one (DATA.md section 2).
 */
export type EventTime = number;

/** Whole microseconds since the epoch: what keys and stored state hold. */
export type Micros = number;

/** A watermark in whole milliseconds; `NO_WATERMARK` before any row was seen. */
export type Watermark = number;

/** Below every event time: nothing is late, nothing is evicted. Reported as null (SEMANTICS 0.5, 0.6). */
export const NO_WATERMARK: Watermark = Number.NEGATIVE_INFINITY;

/** What a drain evicts with: beyond every expiry, as those are safe integers of microseconds; finite, so that it can be stored. */
export const LAST_WATERMARK: Watermark = Math.floor(Number.MAX_SAFE_INTEGER / 1000);

/**
 * Reapplied after every arithmetic step: in doubles `a/1000 + b/1000` differs from `(a+b)/1000` for a quarter of
 * random pairs, and two spellings of one instant would be two groups.
 */
export const canonical = (ms: number): EventTime => Math.round(ms * 1000) / 1000;

export const toMicros = (time: EventTime): Micros => Math.round(time * 1000);

export const fromMicros = (micros: Micros): EventTime => micros / 1000;
