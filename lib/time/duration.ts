import { userError } from "../errors.js";
import type { Micros } from "./event-time.js";

/** A parsed interval: months have no fixed length, so they stay apart until a caller says what they mean. Both may be negative. */
interface Interval {
  readonly months: number;
  readonly micros: Micros;
}

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;
/** Spark's month in a delay threshold (SEMANTICS A5); a year is 12 of them, 372 days. */
const MICROS_PER_MONTH = 31 * DAY;

const UNITS: ReadonlyMap<string, { readonly months: number; readonly micros: number }> = new Map(
  (
    [
      ["year|yr", 12, 0],
      ["month", 1, 0],
      ["week|w", 0, 7 * DAY],
      ["day|d", 0, DAY],
      ["hour|hr|h", 0, 3600 * SECOND],
      ["minute|min|m", 0, 60 * SECOND],
      ["second|sec|s", 0, SECOND],
      ["millisecond|milli|ms", 0, 1000],
      ["microsecond|micro|us|µs", 0, 1],
    ] as const
  ).flatMap(([names, months, micros]) => names.split("|").map((name) => [name, { months, micros }] as const)),
);

const unitOf = (word: string) => UNITS.get(word) ?? (word.length > 2 ? UNITS.get(word.replace(/s$/, "")) : undefined);

/** Seconds alone may have a fraction; it is cut, not rounded, to the microsecond, as Spark does. */
const microsOf = (sign: number, whole: string, fraction: string, unit: number): number =>
  sign * (Number(whole) * unit + (fraction === "" ? 0 : Number(fraction.padEnd(6, "0").slice(0, 6))));

const invalid = (text: string, why: string) =>
  userError(
    "invalid-interval",
    `The interval '${text}' does not parse: ${why}.`,
    "Write a number and a unit, as in '10 minutes', '1 hour 30 minutes', '30s' or 'PT10M'.",
  );

const TERM = /([+-]?)\s*(\d+)?(?:\.(\d{1,9}))?\s*([a-zµ]+)\s*/y;

function parseTerms(text: string, body: string): Interval {
  let months = 0;
  let micros = 0;
  TERM.lastIndex = 0;
  while (TERM.lastIndex < body.length) {
    const rest = body.slice(TERM.lastIndex);
    const term = TERM.exec(body);
    if (term === null)
      throw invalid(text, /^[+-]?\s*[\d.]+\s*$/.test(rest) ? "a unit is missing" : `'${rest}' is read`);
    const [, sign, whole, fraction, word = ""] = term;
    if (whole === undefined && fraction === undefined) throw invalid(text, `'${word}' is not a number`);
    const unit = unitOf(word);
    if (unit === undefined) throw invalid(text, `'${word}' is not a unit`);
    if (fraction !== undefined && unit.micros !== SECOND) throw invalid(text, "only seconds may have a fraction");
    const direction = sign === "-" ? -1 : 1;
    months += direction * Number(whole ?? 0) * unit.months;
    micros += microsOf(direction, whole ?? "0", fraction ?? "", unit.micros);
  }
  return { months, micros };
}

const ISO =
  /^([+-]?)p(?=.)(?:([+-]?\d+)y)?(?:([+-]?\d+)m)?(?:([+-]?\d+)w)?(?:([+-]?\d+)d)?(?:t(?=.)(?:([+-]?\d+)h)?(?:([+-]?\d+)m)?(?:([+-]?)(\d+)(?:\.(\d{1,9}))?s)?)?$/;

function parseIso(text: string, body: string): Interval {
  const match = ISO.exec(body);
  if (match === null) throw invalid(text, "it is not an ISO 8601 duration");
  const [years, months, weeks, days, hours, minutes] = match.slice(2, 8).map((part) => Number(part ?? 0));
  const seconds = microsOf(match[8] === "-" ? -1 : 1, match[9] ?? "0", match[10] ?? "", SECOND);
  const sign = match[1] === "-" ? -1 : 1;
  return {
    months: sign * (years! * 12 + months!) + 0,
    micros: sign * ((weeks! * 7 + days!) * DAY + (hours! * 3600 + minutes! * 60) * SECOND + seconds) + 0,
  };
}

/**
 * Spark's interval syntax, case-insensitive, with an optional `interval` before it, any number of signed `n unit` pairs,
 * the usual abbreviations, or ISO 8601 (SEMANTICS A5, 0.8).
 * @throws `invalid-interval`
 */
export function parseInterval(text: string): Interval {
  if (typeof text !== "string") throw invalid(String(text), "it is not a text");
  const body = text
    .trim()
    .toLowerCase()
    .replace(/^interval(?=\s|$)\s*/, "");
  if (body === "") throw invalid(text, "it is empty");
  const interval = /^[+-]?p/.test(body) ? parseIso(text, body) : parseTerms(text, body);
  if (!Number.isSafeInteger(netMicros(interval))) throw invalid(text, "it is longer than 285 years");
  return Object.freeze(interval);
}

const netMicros = ({ months, micros }: Interval): Micros => months * MICROS_PER_MONTH + micros;

/**
 * A delay threshold in whole milliseconds: a month is 31 days, what is below a millisecond is dropped (SEMANTICS A5).
 * @throws `invalid-interval`, `negative-delay` when the net is below zero
 */
export function parseDelay(text: string): number {
  const micros = netMicros(parseInterval(text));
  if (micros < 0) {
    throw userError(
      "negative-delay",
      `The delay threshold '${text}' should not be negative.`,
      "Give a delay of zero or more, as in '10 minutes'.",
    );
  }
  return Math.floor(micros / 1000);
}

/**
 * The size, slide or offset of a window, or the bound of a join, in microseconds; may be zero or negative, that is for the caller to judge.
 * @throws `invalid-interval`, `interval-in-months`: months differ in length, so windows cannot be cut by them (SEMANTICS C1)
 */
export function parseDuration(text: string): Micros {
  const { months, micros } = parseInterval(text);
  if (months !== 0) {
    throw userError(
      "interval-in-months",
      `The interval '${text}' counts in months, whose lengths differ.`,
      "Use weeks, days or less, as in '30 days'.",
    );
  }
  return micros;
}

/**
 * The gap of a session window in microseconds; a month is 31 days here too (SEMANTICS D2).
 * @throws `invalid-interval`
 */
export const parseSessionGap = (text: string): Micros => netMicros(parseInterval(text));
