import { userError } from "../errors.js";

const QUARTER_MS = 900_000;
const CACHED_OFFSETS = 4096;
/** Since then clocks change at whole quarters of an hour only, so one offset answers for all of a quarter. */
const QUARTERS_SINCE = Date.UTC(1972, 0, 1);

/** Where clocks stand: milliseconds east of UTC at an instant (epoch ms). */
export interface TimeZone {
  readonly id: string;
  offsetAt(instant: number): number;
}

export const UTC: TimeZone = Object.freeze({ id: "UTC", offsetAt: () => 0 });

const fixed = (id: string, offset: number): TimeZone => Object.freeze({ id, offsetAt: () => offset });

const known = new Map<string, TimeZone | null>();
const KNOWN_ZONES = 1024;

/**
 * A zone by the names that Spark takes: `Z`, `UTC`, `GMT`, `UT`, these three followed by an offset, an offset alone (`+1`, `-05:30`, `+0530`,
 * `+01:02:03`, up to 18 hours), a region (`Europe/Paris`), or one of Java's short names (`PST`, `CET`). Null: none of these.
 */
export function timeZone(id: string): TimeZone | null {
  const found = known.get(id);
  if (found !== undefined) return found;
  const zone = readZone(id);
  if (known.size < KNOWN_ZONES) known.set(id, zone);
  return zone;
}

/** @throws `time-zone` */
export function requireZone(id: string): TimeZone {
  const zone = timeZone(id);
  if (zone !== null) return zone;
  throw userError(
    "time-zone",
    `${JSON.stringify(id)} is no time zone.`,
    "Give a region, as in 'Europe/Berlin', or an offset, as in '+01:00'.",
  );
}

function readZone(id: string): TimeZone | null {
  if (id === "Z" || id === "UTC" || id === "GMT" || id === "UT") return { ...UTC, id };
  const offset = zoneOffset(/^(?:UTC|GMT|UT)[+-]/.test(id) ? id.slice(id.search(/[+-]/)) : id);
  if (offset !== null) return fixed(id, offset);
  const name = SHORT_NAMES[id] ?? id;
  if (name !== id && /^[+-]/.test(name)) return fixed(id, zoneOffset(name) as number);
  return /^[A-Z][A-Za-z0-9_+/-]*$/.test(name) ? region(id, name) : null;
}

const OFFSET = /^([+-])(\d{1,2})(?::(\d{1,2})(?::(\d{2}))?|(\d{2})(\d{2})?)?$/;

/** Milliseconds of `±H`, `±HH`, `±H:M`, `±HH:MM`, `±HHMM`, `±HH:MM:SS`, `±HHMMSS`; null for anything else, or beyond 18 hours. */
export function zoneOffset(text: string): number | null {
  const match = OFFSET.exec(text);
  if (match === null) return null;
  const [, sign, hours, minutes = match[5] ?? "0", seconds = match[6] ?? "0"] = match;
  if (match[5] !== undefined && hours?.length !== 2) return null;
  if (Number(minutes) > 59 || Number(seconds) > 59) return null;
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return ms > 18 * 3_600_000 ? null : sign === "-" ? 0 - ms : ms;
}

/** By the platform's own zone data. */
function region(id: string, name: string): TimeZone | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  } catch {
    return null;
  }
  const cached = new Map<number, number>();
  const read = (instant: number): number => {
    const text = format.format(instant);
    return zoneOffset(text.slice(text.indexOf("GMT") + 3)) ?? 0;
  };
  const offsetAt = (instant: number): number => {
    if (!(instant >= QUARTERS_SINCE)) return read(instant);
    const quarter = Math.floor(instant / QUARTER_MS);
    const known = cached.get(quarter);
    if (known !== undefined) return known;
    const offset = read(quarter * QUARTER_MS);
    if (cached.size >= CACHED_OFFSETS) cached.clear();
    cached.set(quarter, offset);
    return offset;
  };
  return Object.freeze({ id, offsetAt });
}

/**
 * The instant at which clocks there show this reading (epoch ms as if it were UTC), by Java's rules: of a reading that comes twice the
 * earlier instant, of one that is skipped as many milliseconds later as were skipped.
 */
export function instantOf(reading: number, zone: TimeZone): number {
  const before = zone.offsetAt(reading - DAY_MS);
  const after = zone.offsetAt(reading + DAY_MS);
  if (zone.offsetAt(reading - before) === before) return reading - before;
  if (zone.offsetAt(reading - after) === after) return reading - after;
  return reading - before;
}

const DAY_MS = 86_400_000;

/** The reading of clocks there, as epoch ms of the same reading in UTC. */
export const readingOf = (instant: number, zone: TimeZone): number => instant + zone.offsetAt(instant);

/** Java's `ZoneId.SHORT_IDS`, which Spark takes too. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  ACT: "Australia/Darwin",
  AET: "Australia/Sydney",
  AGT: "America/Argentina/Buenos_Aires",
  ART: "Africa/Cairo",
  AST: "America/Anchorage",
  BET: "America/Sao_Paulo",
  BST: "Asia/Dhaka",
  CAT: "Africa/Harare",
  CNT: "America/St_Johns",
  CST: "America/Chicago",
  CTT: "Asia/Shanghai",
  EAT: "Africa/Addis_Ababa",
  ECT: "Europe/Paris",
  EST: "-05:00",
  HST: "-10:00",
  IET: "America/Indiana/Indianapolis",
  IST: "Asia/Kolkata",
  JST: "Asia/Tokyo",
  MIT: "Pacific/Apia",
  MST: "-07:00",
  NET: "Asia/Yerevan",
  NST: "Pacific/Auckland",
  PLT: "Asia/Karachi",
  PNT: "America/Phoenix",
  PRT: "America/Puerto_Rico",
  PST: "America/Los_Angeles",
  SST: "Pacific/Guadalcanal",
  VST: "Asia/Ho_Chi_Minh",
};
