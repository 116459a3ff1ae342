import { userError } from "../errors.js";
import {
  canonical,
  type EventTime,
  EXACT_MICROS_MS,
  exactInstant,
  FIRST_EVENT_TIME,
  LAST_EVENT_TIME,
} from "./event-time.js";
import { compileTimestampParser, type TimestampParser } from "./parse-pattern.js";
import { requireZone, UTC } from "./time-zone.js";
import { parseTimestampText } from "./timestamp-text.js";

/** What a number of a timestamp counts since 1970-01-01T00:00:00Z. */
export type TimeUnit = "seconds" | "milliseconds" | "microseconds" | "nanoseconds";

/** How text and numbers become a timestamp. Without any of it: Spark's cast of text, numbers as milliseconds. */
export interface TimestampReading {
  /** Spark's pattern letters, as in `MMM d yyyy`. */
  readonly format?: string;
  readonly unit?: TimeUnit;
  /** Where clocks stood that give no zone, as in `Europe/Berlin`; UTC by default. */
  readonly timeZone?: string;
}

/** A JSON value that is not null as an instant; undefined if it is none. An integer beyond 2^53 comes as bigint. */
type TimestampReader = (value: unknown) => EventTime | undefined;

/** @throws `time-pattern`, `time-zone` */
export function timestampReader({ format, unit, timeZone: zoneId }: TimestampReading = {}): TimestampReader {
  const zone = zoneId === undefined ? UTC : requireZone(zoneId);
  const ofText: TimestampParser =
    format === undefined ? (text) => parseTimestampText(text, zone) : compileTimestampParser(format, zone);
  const ofNumber =
    unit === undefined && format !== undefined
      ? (value: number | bigint) => ofText(String(value))
      : UNITS[unit ?? "milliseconds"];
  // A count in quotes, as CSV and some producers write it, is one where a unit says so; elsewhere "2014" is a year.
  const isCount = (text: string): boolean => unit !== undefined && format === undefined && COUNT.test(text);
  return (value) => {
    if (typeof value === "string") return instant(isCount(value) ? ofCount(value, ofNumber) : ofText(value));
    if (typeof value === "number" || typeof value === "bigint") return instant(ofNumber(value));
    return value instanceof Date ? instant(value.getTime()) : undefined;
  };
}

const COUNT = /^[+-]?\d{1,30}(?:\.\d{0,30})?$/;

const ofCount = (text: string, read: (value: number | bigint) => EventTime): EventTime => {
  const number = Number(text);
  return Number.isSafeInteger(number) || text.includes(".") ? read(number) : read(BigInt(text));
};

/** Milliseconds, with the fraction that a number has, to the microsecond. */
const milliseconds = (value: number | bigint): EventTime => {
  if (typeof value === "bigint" || Number.isInteger(value)) return Number(value);
  return Math.abs(value) < EXACT_MICROS_MS ? canonical(value) : Number.NaN;
};

/** Of a microsecond what is below it is cut, as Spark cuts it. */
const counted =
  (perMs: bigint, microsOfOne: (value: number) => number) =>
  (value: number | bigint): EventTime => {
    if (typeof value === "number" && !Number.isSafeInteger(value)) return milliseconds(microsOfOne(value) / 1000);
    const count = BigInt(value);
    const ms = count / perMs - (count < 0n && count % perMs !== 0n ? 1n : 0n);
    return exactInstant(Number(ms), Number(((count - ms * perMs) * 1000n) / perMs));
  };

const UNITS: Readonly<Record<TimeUnit, (value: number | bigint) => EventTime>> = {
  seconds: (value) => milliseconds(typeof value === "bigint" ? value * 1000n : value * 1000),
  milliseconds,
  microseconds: counted(1000n, (value) => value),
  nanoseconds: counted(1_000_000n, (value) => value / 1000),
};

const instant = (time: EventTime): EventTime | undefined =>
  time >= FIRST_EVENT_TIME && Math.floor(time) <= LAST_EVENT_TIME ? time + 0 : undefined;

/** A declaration's mistakes show where it is written. @throws `time-pattern`, `time-zone`, `option-invalid` */
export function checkReading(reading: TimestampReading): void {
  if (reading.unit !== undefined && !Object.hasOwn(UNITS, reading.unit))
    throw userError(
      "option-invalid",
      `The option unit cannot be ${JSON.stringify(reading.unit)}.`,
      `Give one of ${Object.keys(UNITS).join(", ")}.`,
    );
  timestampReader(reading);
}
