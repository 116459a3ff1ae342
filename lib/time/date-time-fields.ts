import { DAY_MS, daysIn, epochDay } from "./calendar.js";
import { type EventTime, exactInstant, FIRST_EVENT_TIME, LAST_EVENT_TIME } from "./event-time.js";
import { instantOf, type TimeZone } from "./time-zone.js";

/** What a text said of a time, each as it was read; what is missing was not said. */
export interface DateTimeFields {
  year?: number;
  /** 1 to 12. */
  month?: number;
  day?: number;
  dayOfYear?: number;
  /** 0 is Sunday. */
  weekday?: number;
  /** 0 BC, 1 AD. */
  era?: number;
  /** 0 AM, 1 PM. */
  half?: number;
  /** 0 to 23. */
  hour?: number;
  /** 1 to 24. */
  clockHour?: number;
  /** 0 to 11. */
  hourOfHalf?: number;
  /** 1 to 12. */
  clockHourOfHalf?: number;
  minute?: number;
  second?: number;
  micros?: number;
  zone?: TimeZone;
}

/** The instant that the fields name, the rest from 1970-01-01T00:00:00; NaN where they contradict each other or there is none. */
export function instantOfFields(fields: DateTimeFields, zone: TimeZone): EventTime {
  const day = epochDayOf(fields);
  const { minute = 0, second = 0, micros = 0 } = fields;
  const hour = hourOf(fields);
  if (Number.isNaN(day) || Number.isNaN(hour) || minute > 59 || second > 59) return Number.NaN;
  const reading = day * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000;
  const time = exactInstant(instantOf(reading, fields.zone ?? zone), micros);
  return time >= FIRST_EVENT_TIME && Math.floor(time) <= LAST_EVENT_TIME ? time : Number.NaN;
}

function epochDayOf({ year = 1970, month, day, dayOfYear, weekday, era = 1 }: DateTimeFields): number {
  if (era !== 1 || year < 1 || year > 9999) return Number.NaN;
  const inMonth = inMonthOf(year, month ?? 1, day ?? 1);
  const inYear = dayOfYear === undefined ? inMonth : inYearOf(year, dayOfYear);
  const agreed = dayOfYear === undefined || (month === undefined && day === undefined) || inMonth === inYear;
  const onWeekday = weekday === undefined || (((inYear + 4) % 7) + 7) % 7 === weekday;
  return agreed && onWeekday ? inYear : Number.NaN;
}

const inMonthOf = (year: number, month: number, day: number): number =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) ? epochDay(year, month, day) : Number.NaN;

const inYearOf = (year: number, day: number): number =>
  day >= 1 && day <= 337 + daysIn(year, 2) ? epochDay(year, 1, 1) + day - 1 : Number.NaN;

function hourOf({ hour, clockHour, hourOfHalf, clockHourOfHalf, half }: DateTimeFields): number {
  const said: number[] = [];
  if (hour !== undefined) said.push(hour <= 23 ? hour : Number.NaN);
  if (clockHour !== undefined) said.push(clockHour >= 1 && clockHour <= 24 ? clockHour % 24 : Number.NaN);
  if (hourOfHalf !== undefined) said.push(hourOfHalf <= 11 ? hourOfHalf : Number.NaN);
  if (clockHourOfHalf !== undefined)
    said.push(clockHourOfHalf >= 1 && clockHourOfHalf <= 12 ? clockHourOfHalf % 12 : Number.NaN);
  const ofHalf = hour === undefined && clockHour === undefined;
  const [first = 0] = said;
  if (ofHalf) return said.every((other) => other === first) ? first + 12 * (half ?? 0) : Number.NaN;
  const agreed = said.every((other) => other === first || other === first % 12);
  return agreed && (half === undefined || half === Math.floor(first / 12)) ? first : Number.NaN;
}
