import type { DataType, Row, Schema } from "../../lib/plan/schema.js";
import { toMicros } from "../../lib/time/event-time.js";
import { parseIsoTimestamp } from "../../lib/time/iso-timestamp.js";
import type { Window } from "../../lib/time/window.js";
import type { JsonRow } from "./golden-case.js";

/** Recorded input values as the engine has them. */
export function decodeRow(json: JsonRow, schema: Schema): Row {
  const row: Row = {};
  for (const { name, type } of schema.fields) {
    const value = json[name] ?? null;
    const isTime = type === "timestamp" || type === "timestamp_ntz";
    row[name] = isTime && value !== null ? parseIsoTimestamp(value as string) : value;
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
  if (type === "timestamp" || type === "timestamp_ntz") return isoText(value as number);
  if (type === "window") return { start: isoText((value as Window).start), end: isoText((value as Window).end) };
  if (typeof type === "object" && "array" in type) {
    return (value as readonly unknown[]).map((element) => encodeValue(element, type.array));
  }
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return value;
}

/** No fraction, three digits, or six. */
export function isoText(ms: number): string {
  const micros = toMicros(ms);
  const inMs = ((micros % 1000) + 1000) % 1000;
  const text = new Date((micros - inMs) / 1000).toISOString();
  if (inMs !== 0) return text.replace("Z", `${String(inMs).padStart(3, "0")}Z`);
  return text.replace(".000Z", "Z");
}
