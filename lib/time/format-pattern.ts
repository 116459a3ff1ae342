import { DAY_MS, epochDay } from "./calendar.js";
import { type EventTime, toMicros } from "./event-time.js";
import { badPattern, MONTHS, type PatternLetter, type PatternPart, readPattern, WEEKDAYS } from "./time-pattern.js";
import { readingOf, type TimeZone, UTC } from "./time-zone.js";

interface Reading {
  /** The clock's reading as if it were UTC. */
  readonly date: Date;
  readonly micros: number;
  readonly offset: number;
  readonly zone: TimeZone;
}

type Writer = (reading: Reading) => string;

/**
 * Writes instants by Spark's pattern letters, as `date_format(time, pattern)` does, with the clocks of `zone`.
 * @throws `time-pattern`; also for `z` of a zone other than UTC, whose names differ by platform
 */
export function compileTimestampFormat(pattern: string, zone: TimeZone = UTC): (time: EventTime) => string {
  const write = sequence(readPattern(pattern), pattern, zone);
  return (time) => {
    const ms = Math.floor(time);
    const reading = readingOf(ms, zone);
    const micros = toMicros(time - ms) + (((ms % 1000) + 1000) % 1000) * 1000;
    return write({ date: new Date(reading), micros, offset: reading - ms, zone });
  };
}

function sequence(parts: readonly PatternPart[], pattern: string, zone: TimeZone): Writer {
  const writers = parts.map((part) => {
    if (part.kind === "text") return () => part.text;
    if (part.kind === "optional") return sequence(part.parts, pattern, zone);
    if (part.letter === "z" && zone.id !== "UTC")
      throw badPattern(pattern, `'${"z".repeat(part.count)}' has no one name for the zone ${zone.id} (use VV or XXX)`);
    const write = WRITERS[part.letter];
    return (reading: Reading) => write(reading, part.count);
  });
  return (reading) => writers.map((write) => write(reading)).join("");
}

const padded = (value: number, width: number): string => String(value).padStart(width, "0");
const name = (names: readonly string[], at: number, count: number): string =>
  count === 4 ? (names[at] as string) : (names[at] as string).slice(0, 3);

const month = ({ date }: Reading, count: number): string =>
  count >= 3 ? name(MONTHS, date.getUTCMonth(), count) : padded(date.getUTCMonth() + 1, count);

const QUARTERS = ["1st quarter", "2nd quarter", "3rd quarter", "4th quarter"] as const;

function quarter({ date }: Reading, count: number): string {
  const at = Math.floor(date.getUTCMonth() / 3);
  return count === 4 ? (QUARTERS[at] as string) : count === 3 ? `Q${at + 1}` : padded(at + 1, count);
}

function year({ date }: Reading, count: number): string {
  const value = date.getUTCFullYear();
  return count === 2 ? padded(value % 100, 2) : padded(value, count);
}

const dayOfYear = ({ date }: Reading): number =>
  Math.floor(date.getTime() / DAY_MS) - epochDay(date.getUTCFullYear(), 1, 1) + 1;

const hour = ({ date }: Reading): number => date.getUTCHours();

const WRITERS: Readonly<Record<PatternLetter, (reading: Reading, count: number) => string>> = {
  G: (_, count) => (count === 4 ? "Anno Domini" : "AD"),
  y: year,
  M: month,
  L: month,
  d: ({ date }, count) => padded(date.getUTCDate(), count),
  D: (reading, count) => padded(dayOfYear(reading), count),
  E: ({ date }, count) => name(WEEKDAYS, date.getUTCDay(), count),
  F: ({ date }) => String(((date.getUTCDate() - 1) % 7) + 1),
  Q: quarter,
  q: quarter,
  a: (reading) => (hour(reading) < 12 ? "AM" : "PM"),
  H: (reading, count) => padded(hour(reading), count),
  h: (reading, count) => padded(hour(reading) % 12 || 12, count),
  k: (reading, count) => padded(hour(reading) || 24, count),
  K: (reading, count) => padded(hour(reading) % 12, count),
  m: ({ date }, count) => padded(date.getUTCMinutes(), count),
  s: ({ date }, count) => padded(date.getUTCSeconds(), count),
  S: ({ micros }, count) => padded(micros, 6).padEnd(9, "0").slice(0, count),
  V: ({ zone }) => zone.id,
  z: (_, count) => (count === 4 ? "Coordinated Universal Time" : "UTC"),
  O: ({ offset }, count) => gmtOffset(offset, count),
  X: ({ offset }, count) => (offset === 0 ? "Z" : isoOffset(offset, count)),
  x: ({ offset }, count) => isoOffset(offset, count),
  Z: ({ offset }, count) => {
    if (count === 4) return gmtOffset(offset, 4);
    return count === 5 ? (offset === 0 ? "Z" : isoOffset(offset, 5)) : isoOffset(offset, 2);
  },
};

function partsOf(offset: number) {
  const seconds = Math.round(Math.abs(offset) / 1000);
  return {
    sign: offset < 0 ? "-" : "+",
    h: Math.floor(seconds / 3600),
    m: Math.floor(seconds / 60) % 60,
    s: seconds % 60,
  };
}

/** `+HH[mm]`, `+HHmm`, `+HH:mm`, and from four letters on seconds, where there are some. */
function isoOffset(offset: number, count: number): string {
  const { sign, h, m, s } = partsOf(offset);
  const colon = count === 3 || count === 5 ? ":" : "";
  const minutes = count === 1 && m === 0 ? "" : `${colon}${padded(m, 2)}`;
  return `${sign}${padded(h, 2)}${minutes}${count >= 4 && s !== 0 ? `${colon}${padded(s, 2)}` : ""}`;
}

function gmtOffset(offset: number, count: number): string {
  if (offset === 0) return "GMT";
  const { sign, h, m, s } = partsOf(offset);
  if (count === 4) return `GMT${sign}${padded(h, 2)}:${padded(m, 2)}${s === 0 ? "" : `:${padded(s, 2)}`}`;
  return `GMT${sign}${h}${m === 0 ? "" : `:${padded(m, 2)}`}${s === 0 ? "" : `:${padded(s, 2)}`}`;
}
