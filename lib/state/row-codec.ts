import { internalError, userError } from "../errors.js";
import { type ByteReader, byteReader } from "./byte-reader.js";
import { type ByteWriter, byteWriter } from "./byte-writer.js";
import { readText, writeText } from "./text-codec.js";

/**
 * Values of state rows and staged rows: null, boolean, number, bigint, string, Date, bytes, array, plain object (DATA.md section 6).
 * Canonical: one value has one encoding, so object keys are sorted; what was encoded and decoded once never changes again.
 * Tags are a stored format: never renumber, only add.
 */
const TAG = {
  null: 0,
  false: 1,
  true: 2,
  integer: 3,
  double: 4,
  bigint: 5,
  text: 6,
  date: 7,
  bytes: 8,
  array: 9,
  object: 10,
  /** A number with at most three decimals, as integer thousandths: event times with microseconds. */
  thousandths: 11,
} as const;

/** More than the 64 levels that a column may have when it is decoded, for rows and accumulators put more around it. */
export const MAX_DEPTH = 96;

const refuse = (path: string, what: string) =>
  userError(
    "state-value-unsupported",
    `${what} at ${path === "" ? "the top" : path} cannot be stored.`,
    "Keep null, boolean, number, bigint, string, Date, Uint8Array, arrays and plain objects in state.",
  );

export function writeValue(out: ByteWriter, value: unknown, path = "", depth = 0): void {
  if (typeof value === "number") writeNumber(out, value);
  else if (typeof value === "string") {
    out.byte(TAG.text);
    writeText(out, value);
  } else if (value === null) out.byte(TAG.null);
  else if (typeof value === "object") writeObject(out, value, path, depth);
  else if (typeof value === "boolean") out.byte(value ? TAG.true : TAG.false);
  else if (typeof value === "bigint") {
    out.byte(TAG.bigint);
    writeText(out, value.toString(36));
  } else throw refuse(path, `A value of type ${typeof value}`);
}

function writeNumber(out: ByteWriter, value: number): void {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    out.byte(TAG.integer);
    out.signed(value);
    return;
  }
  const thousandths = Math.round(value * 1000);
  if (Number.isSafeInteger(thousandths) && thousandths !== 0 && thousandths / 1000 === value) {
    out.byte(TAG.thousandths);
    out.signed(thousandths);
    return;
  }
  out.byte(TAG.double);
  out.double(Number.isNaN(value) ? Number.NaN : value);
}

function writeObject(out: ByteWriter, value: object, path: string, depth: number): void {
  if (depth >= MAX_DEPTH) throw refuse(path, `A value nested deeper than ${MAX_DEPTH}`);
  if (Array.isArray(value)) {
    out.byte(TAG.array);
    out.varint(value.length);
    for (let i = 0; i < value.length; i++) writeValue(out, value[i], `${path}[${i}]`, depth + 1);
  } else if (value instanceof Date) {
    out.byte(TAG.date);
    out.double(value.getTime());
  } else if (value instanceof Uint8Array) {
    out.byte(TAG.bytes);
    out.block(value);
  } else writePlainObject(out, value, path, depth);
}

function writePlainObject(out: ByteWriter, value: object, path: string, depth: number): void {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw refuse(path, `An instance of ${prototype.constructor?.name ?? "a class"}`);
  }
  const fields = value as Record<string, unknown>;
  const names = Object.keys(fields).sort();
  out.byte(TAG.object);
  out.varint(names.length);
  for (const name of names) {
    writeText(out, name);
    writeValue(out, fields[name], path === "" ? name : `${path}.${name}`, depth + 1);
  }
}

export function readValue(input: ByteReader, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw internalError("corrupt-bytes", "Stored bytes are damaged: nested too deeply.");
  const tag = input.byte();
  switch (tag) {
    case TAG.null:
      return null;
    case TAG.false:
      return false;
    case TAG.true:
      return true;
    case TAG.integer:
      return input.signed();
    case TAG.thousandths:
      return input.signed() / 1000;
    case TAG.double:
      return input.double();
    case TAG.bigint:
      return parseBigint(readText(input));
    case TAG.text:
      return readText(input);
    case TAG.date:
      return new Date(input.double());
    case TAG.bytes:
      return input.block().slice();
    case TAG.array:
      return readArray(input, depth);
    case TAG.object:
      return readObject(input, depth);
    default:
      throw internalError("corrupt-bytes", `Stored bytes are damaged: unknown tag ${tag}.`);
  }
}

function readArray(input: ByteReader, depth: number): unknown[] {
  const length = input.varint();
  if (length > input.remaining) throw internalError("corrupt-bytes", "Stored bytes are damaged: an array is too long.");
  const values: unknown[] = new Array(length);
  for (let i = 0; i < length; i++) values[i] = readValue(input, depth + 1);
  return values;
}

function readObject(input: ByteReader, depth: number): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  const count = input.varint();
  for (let i = 0; i < count; i++) setOwn(value, readText(input), readValue(input, depth + 1));
  return value;
}

/** An own property under any name: plain assignment to `__proto__` would set the prototype instead. */
function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[name] = value;
  }
}

function parseBigint(text: string): bigint {
  const negative = text.startsWith("-");
  let value = 0n;
  for (let i = negative ? 1 : 0; i < text.length; i++) value = value * 36n + BigInt(Number.parseInt(text[i]!, 36));
  return negative ? -value : value;
}

export function encodeRow(value: unknown): Uint8Array {
  const out = byteWriter(64);
  writeValue(out, value);
  return out.finish();
}

export function decodeRow(bytes: Uint8Array): unknown {
  const input = byteReader(bytes);
  const value = readValue(input);
  if (!input.done) throw internalError("corrupt-bytes", "Stored bytes are damaged: something follows the value.");
  return value;
}

/** Whether `decodeRow(encodeRow(value))` lists object keys as `value` does. */
export function isCanonical(value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof Date || value instanceof Uint8Array) return true;
  if (Array.isArray(value)) return value.every(isCanonical);
  let before = "";
  for (const [name, field] of Object.entries(value)) {
    if (name < before || !isCanonical(field)) return false;
    before = name;
  }
  return true;
}
