import { DAY_MS, daysIn, epochDay } from "./calendar.js";
import { type EventTime, exactInstant, type Micros } from "./event-time.js";

/**
 * ISO 8601 date-time to epoch milliseconds with six fraction digits (`Date.parse` keeps three); NaN for anything else.
 * `YYYY-MM-DD`, then `T` or a space and `HH:MM[:SS[.f…]]`, then `Z`, `±HH[:MM]`, `±HHMM` or nothing, which means UTC.
 * Digits after the sixth are cut; microseconds where none can be told apart (`exactInstant`) are NaN. By character codes: this runs once per record, at a sixth of `Date.parse`.
 */
export const parseIsoTimestamp = (text: string): EventTime => {
  const length = text.length;
  if (length < 10 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return Number.NaN;
  const year = pair(text, 0) * 100 + pair(text, 2);
  const month = pair(text, 5);
  const day = pair(text, 8);
  // A bad pair is NaN, and every comparison with NaN is false: hence "not within", never "outside".
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return Number.NaN;
  const midnight = epochDay(year, month, day) * DAY_MS;
  if (length === 10) return midnight;
  const micros = microsOfDay(text, length);
  return micros % 1000 === 0 ? midnight + micros / 1000 : exactInstant(midnight, micros);
};

/** From midnight UTC, so that a zone can make it negative or longer than a day. */
const microsOfDay = (text: string, length: number): Micros => {
  const separator = text.charCodeAt(10);
  if ((separator !== 84 && separator !== 32 && separator !== 116) || length < 16 || text.charCodeAt(13) !== 58)
    return Number.NaN;
  const hour = pair(text, 11);
  const minute = pair(text, 14);
  if (!(hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59)) return Number.NaN;
  let at = 16;
  let second = 0;
  let micros = 0;
  if (text.charCodeAt(at) === 58) {
    second = pair(text, at + 1);
    if (!(second >= 0 && second <= 59)) return Number.NaN;
    at += 3;
    const point = text.charCodeAt(at);
    if (point === 46 || point === 44) {
      const first = at + 1;
      at = first;
      let scale = 100_000;
      for (let digit = text.charCodeAt(at) - 48; digit >= 0 && digit <= 9; digit = text.charCodeAt(++at) - 48) {
        micros += digit * scale;
        scale = Math.floor(scale / 10);
      }
      if (at === first) return Number.NaN;
    }
  }
  const ms = (hour * 60 + minute) * 60_000 + second * 1000 - zoneOffset(text, at, length);
  return ms * 1000 + micros;
};

/** Milliseconds east of UTC; NaN unless the rest of the text is a zone or empty. */
const zoneOffset = (text: string, at: number, length: number): number => {
  if (at === length) return 0;
  const sign = text.charCodeAt(at);
  if ((sign | 32) === 122) return at + 1 === length ? 0 : Number.NaN;
  if (sign !== 43 && sign !== 45) return Number.NaN;
  const hours = pair(text, at + 1);
  const left = length - at;
  const minutes = left === 3 ? 0 : left === 5 ? pair(text, at + 3) : left === 6 ? colonPair(text, at + 3) : Number.NaN;
  if (!(minutes <= 59 && (hours < 18 || (hours === 18 && minutes === 0)))) return Number.NaN;
  return (sign === 45 ? -60_000 : 60_000) * (hours * 60 + minutes);
};

const colonPair = (text: string, at: number): number => (text.charCodeAt(at) === 58 ? pair(text, at + 1) : Number.NaN);

/** Two decimal digits as a number; NaN for anything else, the end of the text included. */
const pair = (text: string, at: number): number => {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
};
