import { Buffer } from "node:buffer";
import { closestName } from "../plan/closest-name.js";
import { typeText } from "../plan/data-type.js";
import type { Field, Row, Schema } from "../plan/schema.js";
import { type ColumnReader, columnReader, type ReaderContext } from "./column-reader.js";
import { DEFAULT_LIMITS, type DecodeLimits } from "./decode-limits.js";
import { quoteLongNumbers } from "./exact-integer.js";
import { parseJoined, roomFor } from "./joined-parse.js";
import { ownMember } from "./own-member.js";
import { isPlain, payloadText } from "./payload-text.js";
import type { DecodedRow, DecodedRows, MalformedRow, Payload, RowDecoder } from "./source.js";

interface Column extends Field {
  readonly read: ColumnReader;
}

/**
 * The fast path: a decoder for declared columns. A payload is one JSON object; columns it lacks are null, members that are no columns
 * are dropped. Cost: JSON.parse plus some 30 ns per column, if the payload holds the columns and nothing else.
 */
export function compileRowDecoder(schema: Schema, limits: DecodeLimits = DEFAULT_LIMITS): RowDecoder {
  const read = compileRowReader(schema, limits);
  const single = (payload: Uint8Array): DecodedRow => {
    const found = payloadText(payload, limits.maxBytes);
    if ("malformed" in found) return found;
    const parsed = parseJson(found.text);
    return parsed === undefined ? notJson(payload) : read(parsed, found.text);
  };
  return Object.assign(single, {
    batch: (payloads: readonly Payload[]) => decodeJoined(payloads, limits.maxBytes, read, single),
  });
}

/** Records parsed together: enough to pay, few enough that a malformed one costs little. */
const JOINED_RECORDS = 256;
const JOINED_BYTES = 1024 * 1024;

function decodeJoined(
  payloads: readonly Payload[],
  maxBytes: number,
  read: RowReader,
  single: (payload: Uint8Array) => DecodedRow,
): DecodedRows {
  const rows: (Row | null)[] = [];
  const malformed = new Map<number, MalformedRow>();
  let from = 0;
  while (from < payloads.length) {
    let to = from;
    for (let bytes = 0; to < payloads.length && to - from < JOINED_RECORDS && bytes < JOINED_BYTES; to++) {
      bytes += roomFor(payloads[to] as Payload);
    }
    const joined = payloads.slice(from, to);
    const parsed = joined.every((payload) => isPlain(payload, maxBytes)) ? parseJoined(joined) : null;
    for (let at = 0; at < joined.length; at++) {
      const payload = joined[at] as Payload;
      const decoded = payload.malformed ?? (parsed === null ? single(payload.data) : read(parsed[at], payload));
      if ("malformed" in decoded) malformed.set(rows.length, decoded);
      rows.push("malformed" in decoded ? null : decoded.row);
    }
    from = to;
  }
  return { rows, malformed };
}

/**
 * A value as parsed (the reader may keep it as the row) and the text or payload it came from, needed again where a literal exceeds 2^53;
 * null: the value was never text.
 */
type RowReader = (parsed: unknown, origin: string | Payload | null) => DecodedRow;

export function compileRowReader(schema: Schema, limits: DecodeLimits = DEFAULT_LIMITS): RowReader {
  const context: ReaderContext = { maxDepth: limits.maxDepth, parsed: true, rounded: false, tooDeep: false };
  const columns: readonly Column[] = schema.fields.map((field) => ({
    ...field,
    read: columnReader(field.type, context, field.reading),
  }));
  return (parsed, origin) => {
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return notAnObject(parsed);
    context.parsed = origin !== null;
    context.rounded = false;
    context.tooDeep = false;
    const decoded = readInPlace(parsed as Row, columns, context) ?? readInto({}, parsed, undefined, columns, context);
    if (!context.rounded || origin === null) return decoded;
    const text = typeof origin === "string" ? origin : Buffer.from(origin.data).toString("utf8");
    return readInto({}, JSON.parse(text), JSON.parse(quoteLongNumbers(text)), columns, context);
  };
}

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** JSON.parse's own message quotes the payload, which belongs in the malformed output only. */
export const notJson = (payload: Uint8Array): DecodedRow => ({
  malformed: "not-json",
  detail: payload.byteLength === 0 ? "the payload is empty" : `${payload.byteLength} bytes that are not one JSON value`,
});

const notAnObject = (value: unknown): DecodedRow => ({
  malformed: "schema-violation",
  detail: `expected a JSON object, got ${kindOf(value)}`,
});

/**
 * The payload's own object becomes the row, if it has as many members as there are columns and holds every column: then none is foreign,
 * not even `__proto__`. Null otherwise, and then nothing has changed: a number of seconds that was read once must not be read again.
 */
function readInPlace(row: Row, columns: readonly Column[], context: ReaderContext): DecodedRow | null {
  let members = 0;
  for (const _ in row) members++;
  if (members !== columns.length) return null;
  for (const column of columns) {
    const value = row[column.name];
    if (value === undefined || typeof value === "function") return null;
  }
  for (const column of columns) {
    const value = row[column.name];
    // What needs no change is recognised here, without a call.
    if (column.type === "string" && typeof value === "string") continue;
    if (column.type === "long" && Number.isSafeInteger(value) && value !== 0) continue;
    if (value === null) {
      if (!column.nullable) return missing(column, row);
      continue;
    }
    const read = column.read(value, undefined);
    if (read === undefined) return violation(column, value, context);
    // Object.is: -0 becomes 0.
    if (!Object.is(read, value)) row[column.name] = read;
  }
  return { row };
}

function readInto(
  row: Row,
  parsed: object,
  exact: unknown,
  columns: readonly Column[],
  context: ReaderContext,
): DecodedRow {
  for (const column of columns) {
    const value = ownMember(parsed, column.name);
    if (value === null) {
      if (!column.nullable) return missing(column, parsed);
      row[column.name] = null;
      continue;
    }
    const read = column.read(value, exact === undefined ? undefined : ownMember(exact, column.name));
    if (read === undefined) return violation(column, value, context);
    row[column.name] = read;
  }
  return { row };
}

/** Of the record's names only one like the column's own is told: members may be data. */
function missing({ name }: Column, record: object): DecodedRow {
  const near = Object.hasOwn(record, name) ? undefined : closestName(name, Object.keys(record));
  const hint = near === undefined ? "" : `; the record has '${near}'`;
  const detail = `column '${name}' is null or missing, and it is declared not nullable${hint}`;
  return { malformed: "schema-violation", detail };
}

const violation = (column: Column, value: unknown, context: ReaderContext): DecodedRow =>
  context.tooDeep
    ? { malformed: "too-deep", detail: `column '${column.name}' nests more than ${context.maxDepth} levels` }
    : {
        malformed: "schema-violation",
        detail: `column '${column.name}': expected ${typeText(column.type)}, got ${kindOf(value)}`,
      };

/** The kind of a value without the value: details are logged, payloads are not. */
export const kindOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value !== "number") return typeof value;
  return Number.isInteger(value) ? "integer" : "fractional number";
};
