import { userError } from "../../errors.js";
import { startOfDay } from "../../time/calendar-window.js";
import { type EventTime, toMicros } from "../../time/event-time.js";
import { instantOf, requireZone, type TimeZone } from "../../time/time-zone.js";
import { timestampReader } from "../../time/timestamp-reader.js";
import { longValue } from "../integers.js";
import { type Call, type CallCompiler, type CallScope, unary } from "./apply.js";
import { seconds, toEventTime } from "./cast.js";
import type { Evaluator } from "./evaluator.js";

const PARTS = {
  year: (date: Date) => date.getUTCFullYear(),
  month: (date: Date) => date.getUTCMonth() + 1,
  dayOfMonth: (date: Date) => date.getUTCDate(),
  /** 1 is Sunday, as in Spark. */
  dayOfWeek: (date: Date) => date.getUTCDay() + 1,
  hour: (date: Date) => date.getUTCHours(),
  minute: (date: Date) => date.getUTCMinutes(),
  second: (date: Date) => date.getUTCSeconds(),
} as const;

const MS = { millisecond: 1, second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

const floorTo = (unit: number) => (time: EventTime) => Math.floor(time / unit) * unit;

const THURSDAY_TO_MONDAY = 3 * MS.day;

const TRUNCATIONS: Readonly<Record<string, (time: EventTime) => EventTime>> = {
  millisecond: Math.floor,
  second: floorTo(MS.second),
  minute: floorTo(MS.minute),
  hour: floorTo(MS.hour),
  day: floorTo(MS.day),
  /** Weeks begin on Monday; the epoch was a Thursday. */
  week: (time) => floorTo(7 * MS.day)(time + THURSDAY_TO_MONDAY) - THURSDAY_TO_MONDAY,
  month: (time) => startOf(time, (month) => month),
  quarter: (time) => startOf(time, (month) => month - (month % 3)),
  year: (time) => startOf(time, () => 0),
};

function startOf(time: EventTime, month: (month: number) => number): EventTime {
  const date = new Date(Math.floor(time));
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), month(date.getUTCMonth()), 1);
  return start.getTime();
}

/**
 * As java.time, and so Spark, does it: what is below a week keeps the offset of the instant where that is possible, what begins with a
 * day begins with its first instant.
 */
function inZone(
  truncate: (time: EventTime) => EventTime,
  unit: string,
  zone: TimeZone,
): (time: EventTime) => EventTime {
  return (time) => {
    const offset = zone.offsetAt(Math.floor(time));
    const reading = truncate(time + offset);
    if (unit === "millisecond" || unit === "second") return truncate(time);
    if (!BELOW_WEEK.has(unit)) return startOfDay(reading / MS.day, zone);
    return zone.offsetAt(reading - offset) === offset ? reading - offset : instantOf(reading, zone);
  };
}

const BELOW_WEEK: ReadonlySet<string> = new Set(["minute", "hour", "day"]);

const ofMicros = timestampReader({ unit: "microseconds" });

/** Exact beyond 2^53 too: there a time is whole milliseconds. */
function microsOf(time: EventTime): number | bigint {
  const micros = toMicros(time);
  return Number.isSafeInteger(micros) ? micros : longValue(BigInt(Math.round(time)) * 1000n);
}

export const compileCalendar: CallCompiler = (call, scope) => {
  switch (call.fn) {
    case "dateTrunc":
      return dateTrunc(call, scope);
    case "timestampSeconds":
      return unary(call, scope, seconds);
    case "timestampMillis":
      return unary(call, scope, (value: number | bigint) => toEventTime(Number(value)));
    case "timestampMicros":
      return unary(call, scope, (value: number | bigint) => toEventTime(ofMicros(value) ?? Number.NaN));
    case "unixSeconds":
      return unary(call, scope, (time: unknown) => Math.floor(toEventTime(time) / 1000));
    case "unixMicros":
      return unary(call, scope, (time: unknown) => microsOf(toEventTime(time)));
    case "unixMillis":
      return unary(call, scope, (time: unknown) => Math.floor(toEventTime(time)));
    default: {
      const part = PARTS[call.fn as keyof typeof PARTS];
      return unary(call, scope, (time: unknown) => part(new Date(Math.floor(toEventTime(time)))));
    }
  }
};

function dateTrunc(call: Call, scope: CallScope): Evaluator {
  const unit = String(call.options?.["unit"]).toLowerCase();
  const zone = call.options?.["timeZone"];
  const inUtc = TRUNCATIONS[unit];
  const truncate = zone === undefined || inUtc === undefined ? inUtc : inZone(inUtc, unit, requireZone(String(zone)));
  if (truncate === undefined) {
    throw userError(
      "date-unit",
      `'${unit}' is not a unit to truncate to.`,
      `Use one of ${Object.keys(TRUNCATIONS).join(", ")}.`,
    );
  }
  return unary(call, scope, (time: unknown) => truncate(toEventTime(time)));
}
