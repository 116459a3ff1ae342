import { DAY_MS, epochDay } from "./calendar.js";
import { fromMicros, type Micros } from "./event-time.js";
import { instantOf, readingOf, requireZone, type TimeZone } from "./time-zone.js";

/** Days or months as clocks of a zone count them: some days have 23 hours, some 25. */
export interface CalendarPeriod {
  readonly unit: "day" | "month";
  readonly count: number;
  readonly timeZone: string;
}

/** Windows that follow each other without a gap, each from the beginning of a day in the zone to that of a later one. */
export interface CalendarGrid {
  /** Of the window that holds the instant. */
  startOf(micros: Micros): Micros;
  /** How long the window that begins there lasts. */
  sizeFrom(start: Micros): Micros;
}

interface Bounds {
  readonly start: Micros;
  readonly end: Micros;
}

/** 1969-12-29, a Monday. */
const MONDAY = -3;
const EPOCH_YEAR = 1970;
/** Beyond it, at the very end of `Date`'s calendar, no platform knows where clocks stand. */
const LAST_MS = 8.64e15 - 2 * DAY_MS;

/**
 * Days stand on 1970-01-01, whole weeks on a Monday, months on January 1970, so that three are a quarter and twelve a year. A day begins
 * at midnight; where midnight is skipped, at the first instant after it; where it comes twice, at the first.
 * @throws `time-zone`
 */
export function calendarGrid({ unit, count, timeZone }: CalendarPeriod): CalendarGrid {
  const named = requireZone(timeZone);
  const zone: TimeZone = { ...named, offsetAt: (ms) => (Math.abs(ms) > LAST_MS ? 0 : named.offsetAt(ms)) };
  const anchor = unit === "day" && count % 7 === 0 ? MONDAY : 0;

  const indexOf = (reading: number): number => {
    if (unit === "day") return Math.floor((Math.floor(reading / DAY_MS) - anchor) / count);
    const date = new Date(reading);
    return Math.floor(((date.getUTCFullYear() - EPOCH_YEAR) * 12 + date.getUTCMonth()) / count);
  };
  const dayOf = (index: number): number => {
    if (unit === "day") return anchor + index * count;
    const months = index * count;
    const years = Math.floor(months / 12);
    return epochDay(EPOCH_YEAR + years, months - years * 12 + 1, 1);
  };
  const startAt = (index: number): Micros => startOfDay(dayOf(index), zone) * 1000;

  let last: Bounds = { start: 0, end: 0 };
  const boundsOf = (micros: Micros): Bounds => {
    if (last.start <= micros && micros < last.end) return last;
    let index = indexOf(readingOf(Math.floor(fromMicros(micros)), zone));
    // A clock that is put back over midnight shows a day before again.
    while (startAt(index) > micros) index--;
    while (startAt(index + 1) <= micros) index++;
    last = { start: startAt(index), end: startAt(index + 1) };
    return last;
  };
  return {
    startOf: (micros) => boundsOf(micros).start,
    sizeFrom: (start) => boundsOf(start).end - start,
  };
}

/** The first instant (epoch ms) of a day, given in days since 1970-01-01, as clocks of the zone show it. */
export function startOfDay(day: number, zone: TimeZone): number {
  const midnight = day * DAY_MS;
  const instant = instantOf(midnight, zone);
  if (readingOf(instant, zone) === midnight) return instant;
  // Midnight is skipped: the day begins when the clock is put forward.
  let before = midnight - zone.offsetAt(instant);
  let after = instant;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (readingOf(middle, zone) >= midnight) after = middle;
    else before = middle;
  }
  return after;
}
