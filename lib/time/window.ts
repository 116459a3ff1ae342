import { type EventTime, fromMicros, type Micros } from "./event-time.js";

/** Half-open: `start <= t < end`. */
export interface Window {
  readonly start: EventTime;
  readonly end: EventTime;
}

/** A value of type `window`, and nothing that user code returns by accident: both bounds are numbers. */
export const isWindow = (value: unknown): value is Window =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as Window).start === "number" &&
  typeof (value as Window).end === "number";

/** Calls `visit` with the start of every `[start, start + size)` that contains `time`, newest first (SEMANTICS C1); all in microseconds. */
export function forEachWindowStart(
  time: Micros,
  size: Micros,
  slide: Micros,
  offset: Micros,
  visit: (start: Micros) => void,
): void {
  const newest = Math.floor((time - offset) / slide) * slide + offset;
  // Where a double of microseconds is coarser than the slide (beyond 2255), subtracting it changes nothing: then there is one.
  for (let start = newest, before = Number.NaN; start + size > time && start !== before; start -= slide) {
    visit(start);
    before = start;
  }
}

export const windowAt = (start: Micros, size: Micros): Window => ({
  start: fromMicros(start),
  end: fromMicros(start + size),
});

/** The event time of a row that carries a window: its last instant, `end - 1 µs` (SEMANTICS H4); `end - 1 ms` where times are whole milliseconds. */
export function lastInstantOf({ end }: Window): EventTime {
  const last = Math.round(end * 1000) - 1;
  return Number.isSafeInteger(last) ? last / 1000 : end - 1;
}
