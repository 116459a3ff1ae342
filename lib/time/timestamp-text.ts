import { DAY_MS, daysIn, epochDay } from "./calendar.js";
import { type EventTime, exactInstant, FIRST_EVENT_TIME, LAST_EVENT_TIME } from "./event-time.js";
import { parseIsoTimestamp } from "./iso-timestamp.js";
import { instantOf, type TimeZone, timeZone, UTC } from "./time-zone.js";

/**
 * Text to an instant by the rules of Spark's cast, NaN for anything else: ISO 8601, and beside it fields of one digit (`2014-4-1 0:11`), years
 * and months alone, blanks around, and after the seconds any zone (`UTC`, `GMT+1`, `Europe/Paris`, `PST`). Without a zone it is a reading of `zone`.
 * Unlike Spark's, a time without a date is none (it would be today's), and the years are 1 to 9999.
 */
export function parseTimestampText(text: string, zone: TimeZone = UTC): EventTime {
  if (zone === UTC) {
    const iso = parseIsoTimestamp(text);
    if (!Number.isNaN(iso)) return iso >= FIRST_EVENT_TIME ? iso : Number.NaN;
  }
  return parseCastForm(text, zone);
}

/** Longer is no timestamp, however it is spelled; it keeps the matching of hostile text short. */
const LONGEST = 200;

const CAST_FORM =
  /^[+]?(\d{4,6})(?:-(\d{1,2})(?:-(\d{1,2})(?:[ T](\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.(\d*))?)?)?(?: *([A-Za-z+-][A-Za-z0-9_/:+-]*))?)?)?)?$/;

function parseCastForm(given: string, zone: TimeZone): EventTime {
  const text = given.length > LONGEST ? "" : trimmed(given);
  const match = CAST_FORM.exec(text);
  if (match === null) return Number.NaN;
  const [, years, months = "1", days = "1", hours, minutes = "0", seconds = "0", fraction = "", zoneId] = match;
  const [year, month, day] = [Number(years), Number(months), Number(days)];
  if (!(year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)))
    return Number.NaN;
  const [hour, minute, second] = [Number(hours ?? 0), Number(minutes), Number(seconds)];
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
  const there = zoneId === undefined ? zone : match[6] === undefined ? null : timeZone(zoneId);
  if (there === null) return Number.NaN;
  const reading = epochDay(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000;
  const time = exactInstant(instantOf(reading, there), Number(fraction.slice(0, 6).padEnd(6, "0")));
  return time >= FIRST_EVENT_TIME && Math.floor(time) <= LAST_EVENT_TIME ? time : Number.NaN;
}

/** Without blanks and control characters at both ends, Spark's `trimAll`. By hand: a regular expression for the end is quadratic. */
export function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

const isBlank = (code: number): boolean => code <= 32 || (code >= 127 && code <= 159);
