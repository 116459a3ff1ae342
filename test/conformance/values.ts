import type { DataType, Row, Schema } from "../../lib/plan/schema.js";
import { isoTime } from "../../lib/time/iso-time.js";
import { parseIsoTimestamp } from "../../lib/time/iso-timestamp.js";
import type { Window } from "../../lib/time/window.js";
import type { JsonRow } from "./golden-case.js";

/**
 * Microseconds of the years from 2248 on, which the readers refuse, cut to the millisecond: what is recorded of such rows are the windows
 * that they fall into.
 */
export const readable = (time: string): string =>
  time.replace(/^((?:224[89]|22[5-9]\d|2[3-9]\d\d|[3-9]\d{3})-\d\d-\d\dT[\d:]+\.\d{3})\d+/, "$1");

/** Recorded input values as the engine has them. */
export function decodeRow(json: JsonRow, schema: Schema): Row {
  const row: Row = {};
  for (const { name, type } of schema.fields) {
    const value = json[name] ?? null;
    const isTime = type === "timestamp" || type === "timestamp_ntz";
    row[name] = isTime && value !== null ? parseIsoTimestamp(readable(value as string)) : value;
  }
  return row;
}

/** Output values as the recordings write them. */
export function encodeRow(row: Row, schema: Schema): JsonRow {
  const json: Record<string, unknown> = {};
  for (const { name, type } of schema.fields) json[name] = encodeValue(row[name] ?? null, type);
  return json;
}

function encodeValue(value: unknown, type: DataType): unknown {
  if (value === null) return null;
  if (type === "timestamp" || type === "timestamp_ntz") return isoTime(value as number);
  if (type === "window") return { start: isoTime((value as Window).start), end: isoTime((value as Window).end) };
  if (typeof type === "object" && "array" in type) {
    return (value as readonly unknown[]).map((element) => encodeValue(element, type.array));
  }
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return value;
}
