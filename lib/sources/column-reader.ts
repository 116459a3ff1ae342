import type { DataType, Field } from "../plan/schema.js";
import { canonical, FIRST_EVENT_TIME, LAST_EVENT_TIME } from "../time/event-time.js";
import { parseIsoTimestamp } from "../time/iso-timestamp.js";
import { within } from "./decode-limits.js";
import { exactInteger } from "./exact-integer.js";

/**
 * Turns a JSON value that is not null into the column's value; undefined if it does not fit.
 * `exact` is the same place in the parse that kept long literals as strings, undefined in the first attempt.
 */
export type ColumnReader = (value: unknown, exact: unknown) => unknown;

export interface ReaderContext {
  readonly maxDepth: number;
  /** Set by a reader that met an integer which the parse has rounded: the row must be read again with `exact`. */
  rounded: boolean;
  /** Set by a reader that met a value nested beyond `maxDepth`. */
  tooDeep: boolean;
}

export function columnReader(type: DataType, context: ReaderContext): ColumnReader {
  if (typeof type === "object") {
    return "array" in type ? arrayReader(type.array, context) : structReader(type.struct, context);
  }
  switch (type) {
    case "timestamp":
      return readTimestamp;
    case "timestamp_ntz":
      return readLocalTimestamp;
    case "string":
      return (value) => (typeof value === "string" ? value : undefined);
    case "boolean":
      return (value) => (typeof value === "boolean" ? value : undefined);
    case "int":
      return (value) => (typeof value === "number" && (value | 0) === value ? value + 0 : undefined);
    case "double":
      return readDouble;
    case "long":
      return longReader(context);
    case "window":
      return structReader(WINDOW_FIELDS, context);
    case "json":
      return (value) => {
        if (typeof value !== "object" || within(value, context.maxDepth)) return value;
        context.tooDeep = true;
        return undefined;
      };
  }
}

const WINDOW_FIELDS: readonly Field[] = [
  { name: "start", type: "timestamp", nullable: false },
  { name: "end", type: "timestamp", nullable: false },
];

const EXACT_MS = Number.MAX_SAFE_INTEGER / 1000;

/** A double of milliseconds tells microseconds apart until 2248; from 2255 on, and before 1684, times are whole milliseconds. */
const readTimestamp = (value: unknown): number | undefined => {
  const time =
    typeof value === "string"
      ? parseIsoTimestamp(value)
      : typeof value === "number"
        ? canonical(value)
        : value instanceof Date
          ? value.getTime()
          : Number.NaN;
  if (time <= EXACT_MS && time >= -EXACT_MS) return time + 0;
  // Cut, not rounded: the last instant of 9999 stays in it.
  const ms = Math.floor(time);
  return ms <= LAST_EVENT_TIME && ms >= FIRST_EVENT_TIME ? ms : undefined;
};

/** The wall-clock reading as if it were UTC; a zone is refused, because it would be dropped. */
const readLocalTimestamp = (value: unknown): number | undefined =>
  typeof value === "string" && value.length > 10 ? readTimestamp(`${value}Z`) : readTimestamp(value);

const readDouble = (value: unknown): number | undefined => {
  if (typeof value === "number") return value;
  return value === "NaN" || value === "Infinity" || value === "-Infinity" ? Number(value) : undefined;
};

const MIN_LONG = -(2n ** 63n);
const MAX_LONG = 2n ** 63n - 1n;

const longReader =
  (context: ReaderContext): ColumnReader =>
  (value, exact) => {
    if (typeof value === "number") {
      if (Number.isSafeInteger(value)) return value + 0;
      if (!Number.isInteger(value)) return undefined;
      if (exact === undefined) {
        context.rounded = true;
        return 0;
      }
      return typeof exact === "string" ? asLong(exactInteger(exact)) : asLong(BigInt(value));
    }
    return typeof value === "bigint" ? asLong(value) : undefined;
  };

const asLong = (value: bigint | undefined): number | bigint | undefined => {
  if (value === undefined || value < MIN_LONG || value > MAX_LONG) return undefined;
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
};

const arrayReader = (item: DataType, context: ReaderContext): ColumnReader => {
  const read = columnReader(item, context);
  return (value, exact) => {
    if (!Array.isArray(value)) return undefined;
    const items: unknown[] = [];
    for (let i = 0; i < value.length; i++) {
      const element = value[i] ?? null;
      const out = element === null ? null : read(element, Array.isArray(exact) ? exact[i] : undefined);
      if (out === undefined) return undefined;
      items.push(out);
    }
    return items;
  };
};

const structReader = (fields: readonly Field[], context: ReaderContext): ColumnReader => {
  const readers = fields.map(({ name, nullable, type }) => ({ name, nullable, read: columnReader(type, context) }));
  return (value, exact) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const struct: Record<string, unknown> = {};
    for (const { name, nullable, read } of readers) {
      const member = ownMember(value, name);
      const out = member === null ? (nullable ? null : undefined) : read(member, ownMember(exact, name) ?? undefined);
      if (out === undefined) return undefined;
      struct[name] = out;
    }
    return struct;
  };
};

/** The object's own member, never an inherited one such as `toString`; null if there is none. */
export const ownMember = (object: unknown, name: string): unknown =>
  typeof object === "object" && object !== null && Object.hasOwn(object, name)
    ? ((object as Record<string, unknown>)[name] ?? null)
    : null;
