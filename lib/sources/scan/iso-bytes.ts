import type { EventTime } from "../../time/event-time.js";
import { parseIsoTimestamp } from "../../time/iso-timestamp.js";

/** `2199-12-31` is the last day that is read here: until 2248 a double of milliseconds tells microseconds apart. */
const FIRST_YEAR = 1970;
const LAST_YEAR = 2199;

const DAY = "YYYY-MM-DD".length;
const SECONDS = "YYYY-MM-DDTHH:MM:SSZ".length;
const MILLIS = "YYYY-MM-DDTHH:MM:SS.mmmZ".length;
const MICROS = "YYYY-MM-DDTHH:MM:SS.mmmmmmZ".length;

/** The usual spellings of an event time, read from their digits; the day is remembered, for the next record's is mostly the same. */
export function isoReader(): (bytes: Uint8Array, start: number, end: number) => EventTime {
  let knownDay = -1;
  let midnight = 0;

  /** NaN: no such day, or one that is not read here. */
  function midnightOf(bytes: Uint8Array, at: number): EventTime {
    if (bytes[at + 4] !== 45 || bytes[at + 7] !== 45) return Number.NaN;
    const year = two(bytes, at) * 100 + two(bytes, at + 2);
    const day = year * 10_000 + two(bytes, at + 5) * 100 + two(bytes, at + 8);
    if (day === knownDay) return midnight;
    if (year < FIRST_YEAR || year > LAST_YEAR) return Number.NaN;
    const time = parseIsoTimestamp(String.fromCharCode(...bytes.subarray(at, at + DAY)));
    if (Number.isNaN(time)) return Number.NaN;
    knownDay = day;
    midnight = time;
    return time;
  }

  /** NaN: the row decoder's own reader must look. */
  return (bytes, start, end) => {
    const length = end - start;
    if (length !== MILLIS && length !== SECONDS && length !== MICROS) return Number.NaN;
    if (bytes[end - 1] !== 90 || bytes[start + 10] !== 84) return Number.NaN;
    if (bytes[start + 13] !== 58 || bytes[start + 16] !== 58) return Number.NaN;
    const hour = two(bytes, start + 11);
    const minute = two(bytes, start + 14);
    const second = two(bytes, start + 17);
    if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
    const inDay = (hour * 60 + minute) * 60 + second;
    // A bad digit makes any of them far below zero.
    if (hour < 0 || minute < 0 || second < 0) return Number.NaN;
    const seconds = midnightOf(bytes, start) + inDay * 1000;
    if (length === SECONDS) return seconds;
    if (bytes[start + 19] !== 46) return Number.NaN;
    const millis = digit(bytes, start + 20) * 100 + two(bytes, start + 21);
    if (millis < 0) return Number.NaN;
    if (length === MILLIS) return seconds + millis;
    const micros = digit(bytes, start + 23) * 100 + two(bytes, start + 24);
    if (micros < 0) return Number.NaN;
    // As integers: a sum of doubles with fractions can miss the microsecond.
    return ((seconds + millis) * 1000 + micros) / 1000;
  };
}

/** So far below zero that whatever it is added to stays there. */
const BAD = -1_000_000_000;

const digit = (bytes: Uint8Array, at: number): number => {
  const value = bytes[at]! - 48;
  return value >>> 0 <= 9 ? value : BAD;
};

const two = (bytes: Uint8Array, at: number): number => digit(bytes, at) * 10 + digit(bytes, at + 1);
