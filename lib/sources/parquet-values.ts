import { Buffer, isUtf8 } from "node:buffer";
import type { SchemaElement } from "hyparquet";
import type { DataType } from "../plan/schema.js";
import { FIRST_EVENT_TIME, LAST_EVENT_TIME } from "../time/event-time.js";
import { bigEndian, decimalText, doubleOfHalf, isExactDouble } from "./parquet-numbers.js";

/** A value as JSON; `fault`: why the column cannot hold it, and `json` is how it is shown. */
export interface ParquetJson {
  readonly json: string;
  readonly fault?: string;
}

/** What a stored value that is not null is, in JSON for a column of the declared type; undefined: the annotation is not read. */
export type ParquetLeaf = (stored: unknown) => ParquetJson;

const fine = (json: string): ParquetJson => ({ json });
const faulty = (json: string, fault: string): ParquetJson => ({ json, fault });
const quoted = (text: string): string => JSON.stringify(text);

/** By logical type, or by the converted type of older files; `stored` is the physical value, as hyparquet gives it without annotations. */
export function parquetLeaf(element: SchemaElement, declared: DataType): ParquetLeaf | undefined {
  const annotation = annotationOf(element);
  switch (annotation.type) {
    case "STRING":
    case "ENUM":
    case "BINARY":
      return (stored) => textOf(stored as Uint8Array, quoted);
    case "FIXED":
      return (stored) => fine(quoted(Buffer.from(stored as Uint8Array).toString("base64")));
    case "JSON":
      return (stored) => textOf(stored as Uint8Array, declared === "string" ? quoted : embedded);
    case "UUID":
      return (stored) => fine(quoted(uuidText(stored as Uint8Array)));
    case "FLOAT16":
      return (stored) => fine(doubleJson(doubleOfHalf(stored as Uint8Array)));
    case "INTEGER":
      return (stored) => exactJson(String(unsignedOf(BigInt(stored as number | bigint), annotation)), declared);
    case "DECIMAL":
      return (stored) => exactJson(decimalText(unscaledOf(stored), annotation.scale), declared);
    case "DATE":
      return (stored) => dateJson(Number(stored));
    case "TIME":
      return (stored) => timeJson(BigInt(stored as number | bigint), annotation.perSecond, declared);
    case "TIMESTAMP":
      return (stored) => timestampJson(stored as bigint, annotation.perSecond, declared);
    case "NUMBER":
      return (stored) => fine(doubleJson(stored as number));
    case "BOOLEAN":
      return (stored) => fine(String(stored));
    case "NULL":
      return () => fine("null");
    default:
      return undefined;
  }
}

type Annotation =
  | { readonly type: "INTEGER"; readonly bits: number; readonly signed: boolean }
  | { readonly type: "DECIMAL"; readonly scale: number }
  | { readonly type: "TIME" | "TIMESTAMP"; readonly perSecond: bigint }
  | { readonly type: "STRING" | "ENUM" | "BINARY" | "FIXED" | "JSON" | "UUID" | "FLOAT16" | "DATE" | "NUMBER" }
  | { readonly type: "BOOLEAN" | "NULL" | "UNREAD" };

const PER_SECOND = { MILLIS: 1000n, MICROS: 1_000_000n, NANOS: 1_000_000_000n } as const;
const SIGNED_64: Annotation = { type: "INTEGER", bits: 64, signed: true };
const CONVERTED: Readonly<Record<string, Annotation>> = {
  UTF8: { type: "STRING" },
  ENUM: { type: "ENUM" },
  JSON: { type: "JSON" },
  DATE: { type: "DATE" },
  TIME_MILLIS: { type: "TIME", perSecond: PER_SECOND.MILLIS },
  TIME_MICROS: { type: "TIME", perSecond: PER_SECOND.MICROS },
  TIMESTAMP_MILLIS: { type: "TIMESTAMP", perSecond: PER_SECOND.MILLIS },
  TIMESTAMP_MICROS: { type: "TIMESTAMP", perSecond: PER_SECOND.MICROS },
  ...Object.fromEntries(
    [8, 16, 32, 64].flatMap((bits) => [
      [`INT_${bits}`, { type: "INTEGER", bits, signed: true }],
      [`UINT_${bits}`, { type: "INTEGER", bits, signed: false }],
    ]),
  ),
};
const PHYSICAL: Readonly<Record<string, Annotation>> = {
  BOOLEAN: { type: "BOOLEAN" },
  INT32: SIGNED_64,
  INT64: SIGNED_64,
  INT96: { type: "TIMESTAMP", perSecond: PER_SECOND.NANOS },
  FLOAT: { type: "NUMBER" },
  DOUBLE: { type: "NUMBER" },
  BYTE_ARRAY: { type: "BINARY" },
  FIXED_LEN_BYTE_ARRAY: { type: "FIXED" },
};

function annotationOf({ type, logical_type: logical, converted_type: converted, scale }: SchemaElement): Annotation {
  switch (logical?.type) {
    case undefined:
      break;
    case "INTEGER":
      return { type: "INTEGER", bits: logical.bitWidth, signed: logical.isSigned };
    case "DECIMAL":
      return { type: "DECIMAL", scale: logical.scale };
    case "TIME":
    case "TIMESTAMP":
      return { type: logical.type, perSecond: PER_SECOND[logical.unit] };
    case "STRING":
    case "ENUM":
    case "JSON":
    case "UUID":
    case "FLOAT16":
    case "DATE":
    case "NULL":
      return { type: logical.type };
    default:
      return { type: "UNREAD" };
  }
  if (converted === "DECIMAL") return { type: "DECIMAL", scale: scale ?? 0 };
  if (converted !== undefined) return CONVERTED[converted] ?? { type: "UNREAD" };
  return PHYSICAL[type ?? ""] ?? { type: "UNREAD" };
}

function textOf(bytes: Uint8Array, write: (text: string) => string | undefined): ParquetJson {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isUtf8(buffer)) return faulty(quoted(buffer.toString("base64")), "bytes that are no UTF-8");
  const text = buffer.toString("utf8");
  const json = write(text);
  return json === undefined ? faulty(quoted(text), "text that is no JSON") : fine(json);
}

const embedded = (text: string): string | undefined => {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
};

function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

const doubleJson = (value: number): string => {
  if (!Number.isFinite(value)) return `"${value}"`;
  // With an exponent or a point, so that it is read as the double it is.
  return Object.is(value, -0) ? "-0.0" : /[.e]/.test(String(value)) ? String(value) : `${value}.0`;
};

const unsignedOf = (value: bigint, { bits, signed }: { readonly bits: number; readonly signed: boolean }): bigint =>
  signed ? value : BigInt.asUintN(bits, value);

const unscaledOf = (stored: unknown): bigint =>
  stored instanceof Uint8Array ? bigEndian(stored) : BigInt(stored as number | bigint);

function exactJson(text: string, declared: DataType): ParquetJson {
  if (declared === "string") return fine(quoted(text));
  const isDouble = declared === "double" || (declared === "json" && text.includes("."));
  return isDouble && !isExactDouble(text)
    ? faulty(quoted(text), "more digits than a double keeps; declare string(), or long()")
    : fine(text);
}

const dateJson = (days: number): ParquetJson => {
  const time = days * 86_400_000;
  if (!isInYears(time)) return faulty(String(days), "a date outside the years 1 to 9999");
  return fine(quoted(new Date(time).toISOString().slice(0, 10)));
};

const isInYears = (ms: number): boolean => ms >= FIRST_EVENT_TIME && ms <= LAST_EVENT_TIME;

const isCount = (declared: DataType): boolean => declared === "long" || declared === "int";

function timeJson(count: bigint, perSecond: bigint, declared: DataType): ParquetJson {
  if (isCount(declared)) return fine(String(count));
  const fraction = String(count % perSecond).padStart(String(perSecond).length - 1, "0");
  const time = new Date(Number(count / perSecond) * 1000).toISOString().slice(11, 19);
  return fine(quoted(/^0+$/.test(fraction) ? time : `${time}.${fraction}`));
}

function timestampJson(count: bigint, perSecond: bigint, declared: DataType): ParquetJson {
  if (isCount(declared)) return fine(String(count));
  const seconds = count / perSecond - (count % perSecond < 0n ? 1n : 0n);
  const fraction = String(count - seconds * perSecond).padStart(String(perSecond).length - 1, "0");
  if (!isInYears(Number(seconds) * 1000)) return faulty(String(count), "a time outside the years 1 to 9999");
  if (!/^\d{0,6}0*$/.test(fraction))
    return faulty(String(count), "nanoseconds, which no timestamp keeps; declare long()");
  const time = `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}.${fraction.slice(0, 6)}`;
  return fine(quoted(declared === "timestamp_ntz" ? time : `${time}Z`));
}
