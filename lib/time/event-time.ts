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

/** What a drain evicts with, the end of `Date`'s calendar: beyond every expiry; finite, so that it can be stored. */
export const LAST_WATERMARK: Watermark = 8_640_000_000_000_000;

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999Z: the timestamps there are, Spark's (DATA.md section 2). */
export const FIRST_EVENT_TIME: EventTime = -62_135_596_800_000;
export const LAST_EVENT_TIME: EventTime = 253_402_300_799_999;

/** Below this, in milliseconds, a double tells microseconds apart: from 1691 to 2248. Beyond it a time is whole milliseconds. */
export const EXACT_MICROS_MS = 2 ** 43;

/** Milliseconds, whole, and microseconds after them as one instant; NaN where no double of milliseconds is that instant. */
export function exactInstant(ms: number, micros: Micros): EventTime {
  const whole = ms + Math.floor(micros / 1000);
  const below = micros - Math.floor(micros / 1000) * 1000;
  if (below === 0) return whole;
  // Added as integers: a sum of doubles with fractions can miss the microsecond.
  return whole < EXACT_MICROS_MS && whole >= -EXACT_MICROS_MS ? (whole * 1000 + below) / 1000 : Number.NaN;
}

/** Whether something may wait for this time: a finite number that a drain comes after. */
export const isInstant = (time: number): boolean => Math.abs(time) < LAST_WATERMARK;

/**
 * Reapplied after every arithmetic step: in doubles `a/1000 + b/1000` differs from `(a+b)/1000` for a quarter of
 * random pairs, and two spellings of one instant would be two groups.
 */
export const canonical = (ms: number): EventTime => fromMicros(toMicros(ms));

/** Below this a product by 1000 rounds to the right microsecond (until 2041); between 2109 and 2112 it would not always. */
const NEAR_MICROS = 2 ** 51;

export function toMicros(time: EventTime): Micros {
  const micros = time * 1000;
  if (Math.abs(micros) < NEAR_MICROS || !Number.isFinite(time)) return Math.round(micros);
  const ms = Math.floor(time);
  return ms * 1000 + Math.round((time - ms) * 1000);
}

/**
 * Beyond 2^53 µs (before 1684, after 2255) a double of microseconds may be off by up to 16 of them, so times there are whole milliseconds:
 * those, and with them whole seconds in microseconds, come back exactly until the year 9999.
 */
export const fromMicros = (micros: Micros): EventTime =>
  micros <= Number.MAX_SAFE_INTEGER && micros >= -Number.MAX_SAFE_INTEGER ? micros / 1000 : Math.round(micros / 1000);

/**
 * The instant so many microseconds later, exact wherever a double of milliseconds tells microseconds apart (1692 to 2248): from 2039 on
 * `canonical(time + micros / 1000)` may be one off. Milliseconds and microseconds are added apart, for their sum may be no safe integer.
 */
export function shifted(time: EventTime, micros: Micros): EventTime {
  const ms = Math.floor(time) + Math.trunc(micros / 1000);
  const fraction = toMicros(time - Math.floor(time)) + (micros % 1000);
  const sum = ms * 1000 + fraction;
  return Number.isSafeInteger(sum) ? fromMicros(sum) : ms + Math.round(fraction / 1000);
}
