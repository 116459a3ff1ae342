import type { DataType, Field } from "../plan/schema.js";
import { type TimestampReading, timestampReader } from "../time/timestamp-reader.js";
import { exactInteger, isBeyondSafe } from "./exact-integer.js";
import { readJsonColumn } from "./json-column.js";
import { ownMember } from "./own-member.js";

/**
 * Turns a JSON value that is not null into the column's value; undefined if it does not fit.
 * `exact` is the same place in the parse that kept long literals as strings, undefined in the first attempt.
 */
export type ColumnReader = (value: unknown, exact: unknown) => unknown;

export interface ReaderContext {
  readonly maxDepth: number;
  /** Whether the values were parsed from JSON: then a number beyond 2^53 may be a rounded literal. False: they were given as they are. */
  parsed: boolean;
  /** Set by a reader that met an integer which the parse has rounded: the row must be read again with `exact`. */
  rounded: boolean;
  /** Set by a reader that met a value nested beyond `maxDepth`. */
  tooDeep: boolean;
}

export function columnReader(type: DataType, context: ReaderContext, reading?: TimestampReading): ColumnReader {
  if (typeof type === "object") {
    return "array" in type ? arrayReader(type.array, context) : structReader(type.struct, context);
  }
  switch (type) {
    case "timestamp":
      return timeReader(context, reading);
    case "timestamp_ntz":
      return readLocalTimestamp;
    case "string":
      return (value) => (typeof value === "string" ? value : undefined);
    case "boolean":
      return (value) => (typeof value === "boolean" ? value : undefined);
    case "int":
      return (value) => (typeof value === "number" && (value | 0) === value ? value + 0 : undefined);
    case "double":
      return doubleReader(context);
    case "long":
      return longReader(context);
    case "window":
      return structReader(WINDOW_FIELDS, context);
    case "json":
      return (value, exact) => readJsonColumn(value, exact, context);
  }
}

const WINDOW_FIELDS: readonly Field[] = [
  { name: "start", type: "timestamp", nullable: false },
  { name: "end", type: "timestamp", nullable: false },
];

/** A number beyond 2^53 may be another than was written: then the row is read again with the digits. */
const timeReader = (context: ReaderContext, reading?: TimestampReading): ColumnReader => {
  const read = timestampReader(reading);
  return (value, exact) => {
    if (!isBeyondSafe(value) || !context.parsed) return read(value);
    if (exact === undefined) {
      context.rounded = true;
      return 0;
    }
    return read(typeof exact === "string" ? exactInteger(exact) : value);
  };
};

const readUtc = timestampReader();

/** The wall-clock reading as if it were UTC; a zone is refused, because it would be dropped. */
const readLocalTimestamp = (value: unknown): number | undefined => {
  if (typeof value !== "string") return readUtc(value);
  return ZONED.test(value) ? undefined : readUtc(value);
};

/** Letters but for the one T between date and time, or a sign that is no dash of the date. */
const ZONED = /[A-SU-Za-su-z]|:.*[+-]|T.*T/;

/** A JSON number too large for a double would be Infinity, which nobody wrote. */
const doubleReader =
  (context: ReaderContext): ColumnReader =>
  (value) => {
    if (typeof value === "number") return Number.isFinite(value) || !context.parsed ? value : undefined;
    return typeof value === "string" ? NON_NUMBERS.get(value) : undefined;
  };

/** As Spark's JSON reader spells them. */
const NON_NUMBERS: ReadonlyMap<string, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["+Infinity", Number.POSITIVE_INFINITY],
  ["+INF", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
  ["-INF", Number.NEGATIVE_INFINITY],
]);

const MIN_LONG = -(2n ** 63n);
const MAX_LONG = 2n ** 63n - 1n;

const longReader =
  (context: ReaderContext): ColumnReader =>
  (value, exact) => {
    if (typeof value === "number") {
      if (Number.isSafeInteger(value)) return value + 0;
      if (!Number.isInteger(value) || !context.parsed) return undefined;
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
  const readers = fields.map(({ name, nullable, type, reading }) => ({
    name,
    nullable,
    read: columnReader(type, context, reading),
  }));
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
