import { type EventTime, toMicros } from "./event-time.js";

/** `2024-01-01T12:00:00Z`, with 3 fraction digits for whole milliseconds and 6 for microseconds, none if the fraction is zero. */
export function isoTime(time: EventTime): string {
  const micros = toMicros(time);
  const exact = Number.isSafeInteger(micros);
  const ms = exact ? Math.floor(micros / 1000) : Math.round(time);
  const below = exact ? micros - ms * 1000 : 0;
  const date = new Date(ms);
  // Beyond the calendar of Date (±8.64e15 ms) there is nothing to write but the number.
  if (Number.isNaN(date.getTime())) return String(time);
  const text = date.toISOString();
  if (below !== 0) return `${text.slice(0, -1)}${String(below).padStart(3, "0")}Z`;
  return text.endsWith(".000Z") ? `${text.slice(0, -5)}Z` : text;
}

/** The same reading without a zone. */
export const isoLocalTime = (time: EventTime): string => isoTime(time).replace(/Z$/, "");

/** YYYY-MM-DD in UTC; null outside the years 0 to 9999. */
export function isoDay(time: EventTime): string | null {
  const date = new Date(Math.floor(time));
  if (Number.isNaN(date.getTime())) return null;
  const text = date.toISOString();
  return text.charCodeAt(0) >= 48 && text.charCodeAt(0) <= 57 ? text.slice(0, 10) : null;
}
