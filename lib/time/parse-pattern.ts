import { type DateTimeFields, instantOfFields } from "./date-time-fields.js";
import type { EventTime } from "./event-time.js";
import { badPattern, MONTHS, type PatternPart, readPattern, WEEKDAYS } from "./time-pattern.js";
import { type TimeZone, timeZone, UTC, zoneOffset } from "./time-zone.js";

/** Text to an instant; NaN where the text is not of the pattern, names no day there is, or lies outside the years 1 to 9999. */
export type TimestampParser = (text: string) => EventTime;

/** Where the part ends in the text, -1 if it is not there. */
type Step = (text: string, at: number, fields: DateTimeFields) => number;

/**
 * Parses by Spark's pattern letters, as `to_timestamp(text, pattern)` does: the whole text, months and halves of the day in any case, fields
 * that the pattern lacks from 1970-01-01T00:00:00, times without a zone in `zone`. Beyond Spark, `E` is taken and held against the date.
 * @throws `time-pattern`, also for the letters that only a format can have
 */
export function compileTimestampParser(pattern: string, zone: TimeZone = UTC): TimestampParser {
  const parse = sequence(readPattern(pattern), pattern);
  return (text) => {
    const fields: DateTimeFields = {};
    return parse(text, 0, fields) === text.length ? instantOfFields(fields, zone) : Number.NaN;
  };
}

function sequence(parts: readonly PatternPart[], pattern: string): Step {
  const steps = parts.map((part) => stepOf(part, pattern));
  return (text, start, fields) => {
    let at = start;
    for (const step of steps) {
      at = step(text, at, fields);
      if (at < 0) return -1;
    }
    return at;
  };
}

function stepOf(part: PatternPart, pattern: string): Step {
  if (part.kind === "text") return (text, at) => (text.startsWith(part.text, at) ? at + part.text.length : -1);
  if (part.kind === "optional") return optional(sequence(part.parts, pattern));
  const { letter, count } = part;
  switch (letter) {
    case "y":
      return yearStep(count);
    case "M":
    case "L":
      return count >= 3 ? nameStep("month", namesOf(MONTHS, count), 1) : numberStep("month", count);
    case "d":
      return numberStep("day", count);
    case "D":
      return numberStep("dayOfYear", count, 3);
    case "E":
      return nameStep("weekday", namesOf(WEEKDAYS, count), 0);
    case "a":
      return nameStep("half", ["am", "pm"], 0);
    case "G":
      return nameStep("era", count === 4 ? ["before christ", "anno domini"] : ["bc", "ad"], 0);
    case "H":
      return numberStep("hour", count);
    case "k":
      return numberStep("clockHour", count);
    case "h":
      return numberStep("clockHourOfHalf", count);
    case "K":
      return numberStep("hourOfHalf", count);
    case "m":
      return numberStep("minute", count);
    case "s":
      return numberStep("second", count);
    case "S":
      return fractionStep(count);
    case "V":
      return zoneStep(/[A-Za-z][A-Za-z0-9_/+:-]*|[+-][0-9:]+/y, timeZone);
    case "z":
      if (count === 4) break;
      return zoneStep(/[A-Za-z][A-Za-z0-9_/+:-]*/y, (name) => timeZone(ZONE_NAMES[name] ?? name));
    default: {
      const offset = offsetPattern(letter, count);
      if (offset !== undefined) return zoneStep(offset, offsetZone);
    }
  }
  throw badPattern(pattern, `'${letter.repeat(count)}' can be written, not read`);
}

const optional =
  (step: Step): Step =>
  (text, at, fields) => {
    const before = { ...fields };
    const end = step(text, at, fields);
    if (end >= 0) return end;
    for (const name of Object.keys(fields) as (keyof DateTimeFields)[]) delete fields[name];
    Object.assign(fields, before);
    return at;
  };

type NumberField = Exclude<keyof DateTimeFields, "zone">;

const digitsEnd = (text: string, at: number, most: number): number => {
  let end = at;
  while (end - at < most && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++;
  return end;
};

/** One letter: as many digits as there are; more: exactly so many, or up to `most`. */
function numberStep(field: NumberField, count: number, most = count): Step {
  const longest = count === 1 ? 9 : most;
  return (text, at, fields) => {
    const end = digitsEnd(text, at, longest);
    if (end - at < count) return -1;
    fields[field] = Number(text.slice(at, end));
    return end;
  };
}

/** `yy` is of this century; from four letters on more digits need a plus. */
function yearStep(count: number): Step {
  return (text, at, fields) => {
    const signed = count >= 4 && text[at] === "+";
    const start = signed ? at + 1 : at;
    const end = digitsEnd(text, start, signed || count === 1 || count === 3 ? 9 : count);
    if (end - start < (signed ? count + 1 : count)) return -1;
    const year = Number(text.slice(start, end));
    fields.year = count === 2 ? 2000 + year : year;
    return end;
  };
}

function fractionStep(count: number): Step {
  return (text, at, fields) => {
    const end = digitsEnd(text, at, count);
    if (end === at) return -1;
    // Digits after the sixth are cut, as Spark cuts them.
    fields.micros = Number(text.slice(at, Math.min(end, at + 6)).padEnd(6, "0"));
    return end;
  };
}

const namesOf = (names: readonly string[], count: number): readonly string[] =>
  names.map((name) => (count === 4 ? name : name.slice(0, 3)).toLowerCase());

function nameStep(field: NumberField, names: readonly string[], first: number): Step {
  const longest = Math.max(...names.map(({ length }) => length));
  return (text, at, fields) => {
    const here = text.slice(at, at + longest).toLowerCase();
    const place = names.findIndex((name) => here.startsWith(name));
    if (place < 0) return -1;
    fields[field] = place + first;
    return at + (names[place] as string).length;
  };
}

function zoneStep(shape: RegExp, zoneOf: (text: string) => TimeZone | null): Step {
  return (text, at, fields) => {
    shape.lastIndex = at;
    const found = shape.exec(text)?.[0];
    const zone = found === undefined ? null : zoneOf(found);
    if (found === undefined || zone === null) return -1;
    fields.zone = zone;
    return at + found.length;
  };
}

function offsetZone(text: string): TimeZone | null {
  const digits = text.replace(/^GMT/, "");
  if (digits === "Z" || digits === "") return UTC;
  const offset = zoneOffset(digits);
  return offset === null ? null : { id: text, offsetAt: () => offset };
}

const OFFSETS: Readonly<Record<string, RegExp>> = {
  1: /Z|[+-]\d\d(?:\d\d)?/y,
  2: /Z|[+-]\d\d\d\d/y,
  3: /Z|[+-]\d\d:\d\d/y,
  4: /Z|[+-]\d\d\d\d(?:\d\d)?/y,
  5: /Z|[+-]\d\d:\d\d(?::\d\d)?/y,
};
const WITHOUT_Z: typeof OFFSETS = Object.fromEntries(
  Object.entries(OFFSETS).map(([count, { source }]) => [count, new RegExp(source.slice(2), "y")]),
);
const GMT_LONG = /GMT(?:[+-]\d\d:\d\d(?::\d\d)?)?/y;

function offsetPattern(letter: string, count: number): RegExp | undefined {
  if (letter === "X") return OFFSETS[count];
  if (letter === "x") return WITHOUT_Z[count];
  if (letter === "O") return count === 4 ? GMT_LONG : /GMT(?:[+-]\d\d?(?::\d\d(?::\d\d)?)?)?/y;
  if (letter !== "Z") return undefined;
  return count === 4 ? GMT_LONG : count === 5 ? OFFSETS[5] : WITHOUT_Z[2];
}

/** Names in text that are no ids: those of RFC 2822. */
const ZONE_NAMES: Readonly<Record<string, string>> = {
  EST: "America/New_York",
  EDT: "America/New_York",
  CST: "America/Chicago",
  CDT: "America/Chicago",
  MST: "America/Denver",
  MDT: "America/Denver",
  PST: "America/Los_Angeles",
  PDT: "America/Los_Angeles",
};
