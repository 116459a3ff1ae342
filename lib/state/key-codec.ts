import { internalError, userError } from "../errors.js";
import type { DataType } from "../plan/schema.js";
import { canonical, fromMicros, toMicros } from "../time/event-time.js";
import type { Window } from "../time/window.js";

/**
 * Canonical keys. Equal values (SQL grouping: NULL equals NULL, NaN equals NaN, -0 equals 0) give equal strings and different values
 * different ones. Control characters U+0000 … U+0002 of texts are escaped, so U+0000 is free to part prefix and rest
 * (`state-store` `withPrefix`) and U+0002 ends a field. Short on purpose: a key is held once per state row.
 */
const END = "\u0002";
const NULL = "\u0001n";
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
const ESCAPED = /[\u0000-\u0002]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const ESCAPED_ALL = /[\u0000-\u0002]/g;

/** Behind each column of a key of several. */
export const FIELD_END = END;

const escapeText = (text: string): string =>
  ESCAPED.test(text) ? text.replace(ESCAPED_ALL, (c) => `\u0001${String.fromCharCode(97 + c.charCodeAt(0))}`) : text;

const unescapeText = (text: string): string =>
  text.includes("\u0001")
    ? // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
      text.replace(/\u0001([abc])/g, (_, c: string) => String.fromCharCode(c.charCodeAt(0) - 97))
    : text;

/** One key from the values of its columns. A single column costs no delimiter. */
export function encodeKey(values: readonly unknown[], types: readonly DataType[]): string {
  if (values.length === 1) return encodeField(values[0], types[0]!);
  let key = "";
  for (let i = 0; i < values.length; i++) key += encodeField(values[i], types[i]!) + END;
  return key;
}

/** A key found by the prefix of its first columns. */
export const prefixedKey = (prefix: string, rest: string): string => `${prefix}\u0000${rest}`;

export const prefixOf = (key: string): string => {
  const at = key.indexOf("\u0000");
  return at < 0 ? key : key.slice(0, at);
};

export const restOf = (key: string): string => key.slice(key.indexOf("\u0000") + 1);

function encodeField(value: unknown, type: DataType): string {
  if (value === null || value === undefined) return NULL;
  if (typeof type === "object") return encodeNested(value, type);
  switch (type) {
    case "string":
      return escapeText(expect(value, "string", type));
    case "boolean":
      return expect(value, "boolean", type) ? "1" : "0";
    case "int":
    case "long":
      if (typeof value === "bigint") return value.toString();
      return numberText(expect(value, "number", type));
    case "double":
      return numberText(expect(value, "number", type));
    case "timestamp":
    case "timestamp_ntz":
      return toMicros(canonical(expect(value, "number", type))).toString();
    case "window": {
      const window = value as Window;
      return `${toMicros(window.start)},${toMicros(window.end)}`;
    }
    case "json":
      return encodeJson(value, 0);
  }
}

function encodeNested(value: unknown, type: Exclude<DataType, string>): string {
  if ("array" in type) {
    if (!Array.isArray(value)) throw mismatch(value, "array");
    let text = `${value.length}:`;
    for (const element of value) text += encodeField(element, type.array) + END;
    return text;
  }
  let text = "{";
  for (const field of type.struct)
    text += encodeField((value as Record<string, unknown>)[field.name], field.type) + END;
  return text;
}

function encodeJson(value: unknown, depth: number): string {
  if (value === null || value === undefined) return NULL;
  if (depth > 64) throw userError("key-too-deep", "A key is nested deeper than 64.", "Group by a plain column.");
  switch (typeof value) {
    case "string":
      return `s${escapeText(value)}`;
    case "boolean":
      return value ? "b1" : "b0";
    case "number":
      return `d${numberText(value)}`;
    case "bigint":
      return `d${value}`;
    case "object":
      break;
    default:
      throw mismatch(value, "json");
  }
  if (value instanceof Date) return `t${value.getTime()}`;
  if (Array.isArray(value)) {
    let text = `a${value.length}:`;
    for (const element of value) text += encodeJson(element, depth + 1) + END;
    return text;
  }
  const fields = value as Record<string, unknown>;
  const names = Object.keys(fields)
    .filter((name) => fields[name] !== undefined)
    .sort();
  let text = `o${names.length}:`;
  for (const name of names) text += escapeText(name) + END + encodeJson(fields[name], depth + 1) + END;
  return text;
}

/** -0 is 0; an integral double beyond 2^53 is spelled in full so that it equals the bigint of the same value. */
const numberText = (value: number): string =>
  value === 0
    ? "0"
    : Number.isInteger(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER
      ? BigInt(value).toString()
      : String(value);

function expect(value: unknown, kind: "string", type: string): string;
function expect(value: unknown, kind: "number", type: string): number;
function expect(value: unknown, kind: "boolean", type: string): boolean;
function expect(value: unknown, kind: string, type: string): unknown {
  if (typeof value !== kind) throw mismatch(value, type);
  return value;
}

const mismatch = (value: unknown, type: string) =>
  internalError("key-type-mismatch", `A key column of type ${type} holds a ${typeof value}.`);

/** The values that `encodeKey` was given, canonical. */
export function decodeKey(key: string, types: readonly DataType[]): unknown[] {
  const cursor = { text: key, at: 0 };
  if (types.length === 1) return [decodeField(cursor, types[0]!, true)];
  return types.map((type) => decodeField(cursor, type, false));
}

interface Cursor {
  readonly text: string;
  at: number;
}

/** Up to the field's end, which is consumed; `last`: up to the end of the text. */
function takeField(cursor: Cursor, last: boolean): string {
  const end = last ? cursor.text.length : cursor.text.indexOf(END, cursor.at);
  if (end < 0) throw internalError("corrupt-key", "A stored key is damaged: a field does not end.");
  const text = cursor.text.slice(cursor.at, end);
  cursor.at = last ? end : end + 1;
  return text;
}

function takeCount(cursor: Cursor): number {
  const colon = cursor.text.indexOf(":", cursor.at);
  const count = Number(cursor.text.slice(cursor.at, colon));
  if (colon < 0 || !Number.isSafeInteger(count))
    throw internalError("corrupt-key", "A stored key is damaged: no count.");
  cursor.at = colon + 1;
  return count;
}

function decodeField(cursor: Cursor, type: DataType, last: boolean): unknown {
  if (cursor.text.startsWith(NULL, cursor.at)) {
    takeField(cursor, last);
    return null;
  }
  if (type === "json") return decodeJson(cursor, last);
  if (typeof type === "object") {
    if ("struct" in type) cursor.at++;
    const value =
      "array" in type
        ? Array.from({ length: takeCount(cursor) }, () => decodeField(cursor, type.array, false))
        : Object.fromEntries(type.struct.map((field) => [field.name, decodeField(cursor, field.type, false)]));
    if (!last) takeField(cursor, false);
    return value;
  }
  return decodeScalar(takeField(cursor, last), type);
}

function decodeScalar(text: string, type: Exclude<DataType, object | "json">): unknown {
  switch (type) {
    case "string":
      return unescapeText(text);
    case "boolean":
      return text === "1";
    case "int":
    case "long":
      return integerOf(text);
    case "double":
      return Number(text);
    case "timestamp":
    case "timestamp_ntz":
      return fromMicros(Number(text));
    case "window": {
      const [start, end] = text.split(",");
      return { start: fromMicros(Number(start)), end: fromMicros(Number(end)) };
    }
  }
}

function decodeJson(cursor: Cursor, last: boolean): unknown {
  const tag = cursor.text[cursor.at++];
  if (tag === "a" || tag === "o") {
    const count = takeCount(cursor);
    const value =
      tag === "a"
        ? Array.from({ length: count }, () => decodeField(cursor, "json", false))
        : Object.fromEntries(
            Array.from({ length: count }, () => [
              unescapeText(takeField(cursor, false)),
              decodeField(cursor, "json", false),
            ]),
          );
    if (!last) takeField(cursor, false);
    return value;
  }
  const text = takeField(cursor, last);
  switch (tag) {
    case "s":
      return unescapeText(text);
    case "b":
      return text === "1";
    case "d":
      return /^-?\d+$/.test(text) ? integerOf(text) : Number(text);
    case "t":
      return new Date(Number(text));
    default:
      throw internalError("corrupt-key", "A stored key is damaged: unknown tag.");
  }
}

const integerOf = (text: string): number | bigint => {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
};
