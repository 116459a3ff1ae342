import { AssertionError } from "node:assert";
import { isDeepStrictEqual } from "node:util";
import type { DataType, Row, Schema } from "../plan/schema.js";
import { jsonText } from "../sinks/json-lines.js";
import { readableRow } from "../sinks/readable-row.js";
import { isoLocalTime, isoTime } from "../time/iso-time.js";
import { parseIsoTimestamp } from "../time/iso-timestamp.js";

/** A row as one line of text, times in words, so that a failed check reads like the output. */
export const lineOf = (row: Row, schema: Schema): string => jsonText(readableRow(row, schema));

export const expectedLine = (row: Row, schema: Schema): string => {
  const nothing = schema.fields.map(({ name }) => [name, null] as const);
  return jsonText({ ...Object.fromEntries(nothing), ...expectedRow(row, schema) });
};

/** What is given of an expected row, its times (ISO 8601 text, Date or epoch milliseconds) as the output writes them. */
export function expectedRow(row: Row, { fields }: Schema): Row {
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asWritten(value, types.get(name))]));
}

function asWritten(value: unknown, type: DataType | undefined): unknown {
  if (value === null || value === undefined) return null;
  if (type === "timestamp") return withTime(value, isoTime);
  if (type === "timestamp_ntz") return withTime(value, isoLocalTime);
  if (type === "window") return expectedRow(value as Row, WINDOW);
  if (typeof type === "object" && "array" in type && Array.isArray(value))
    return value.map((item) => asWritten(item, type.array));
  if (typeof type === "object" && "struct" in type) return expectedRow(value as Row, { fields: type.struct });
  return value;
}

const WINDOW: Schema = {
  fields: [
    { name: "start", type: "timestamp", nullable: false },
    { name: "end", type: "timestamp", nullable: false },
  ],
};

function withTime(value: unknown, write: (time: number) => string): unknown {
  const time = typeof value === "string" ? parseIsoTimestamp(value) : value instanceof Date ? value.getTime() : value;
  return typeof time === "number" && !Number.isNaN(time) ? write(time) : value;
}

/** Fails with both sides as a test runner shows them: as a difference. */
export function assertSame(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new AssertionError({ message: `${what} differs`, actual, expected, operator: "deepStrictEqual" });
}

/** Of `actual`, what `expected` speaks of: comparing the two is a partial comparison. */
export function partLike(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(actual) && Array.isArray(expected)) return actual.map((item, at) => partLike(item, expected[at]));
  if (!isPlain(actual) || !isPlain(expected)) return actual;
  return Object.fromEntries(Object.keys(expected).map((name) => [name, partLike(actual[name], expected[name])]));
}

const isPlain = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
