import { Buffer } from "node:buffer";
import { userError } from "../errors.js";
import type { DataType, Field, Row, Schema } from "../plan/schema.js";
import { isoLocalTime, isoTime } from "../time/iso-time.js";
import { isWindow, type Window } from "../time/window.js";

type Write = (value: unknown) => string;

/**
 * Rows as JSON lines (DATA.md section 8): columns in schema order, times as ISO 8601 in UTC, windows as {"start","end"}, integers as exact
 * literals, "NaN" and "Infinity" as strings, null as null. Same rows, same bytes. An open schema adds the row's other members in their order.
 */
export function jsonLines(rows: readonly Row[], schema: Schema): Uint8Array {
  const write = rowWriter(schema);
  let text = "";
  for (const row of rows) text += `${write(row)}\n`;
  return Buffer.from(text, "utf8");
}

export function rowWriter(schema: Schema): (row: Row) => string {
  const columns = schema.fields.map(columnWriter);
  const declared = new Set(schema.fields.map((field) => field.name));
  return (row) => {
    let text = "{";
    for (const { name, label, write } of columns) {
      text += `${text.length > 1 ? "," : ""}${label}${write(row[name])}`;
    }
    if (schema.open) {
      for (const name of Object.keys(row)) {
        if (declared.has(name)) continue;
        text += `${text.length > 1 ? "," : ""}${JSON.stringify(name)}:${jsonText(row[name])}`;
      }
    }
    return `${text}}`;
  };
}

const columnWriter = ({ name, type }: Field) => ({ name, label: `${JSON.stringify(name)}:`, write: valueWriter(type) });

/** A value that does not have its declared type (a user function's doing) is written as what it is. */
export function valueWriter(type: DataType): Write {
  if (typeof type === "object") return "array" in type ? arrayWriter(type.array) : structWriter(type.struct);
  switch (type) {
    case "timestamp":
      return (value) => (typeof value === "number" ? `"${isoTime(value)}"` : jsonText(value));
    case "timestamp_ntz":
      return (value) => (typeof value === "number" ? `"${isoLocalTime(value)}"` : jsonText(value));
    case "window":
      return (value) => (isWindow(value) ? windowText(value) : jsonText(value));
    default:
      return jsonText;
  }
}

const windowText = ({ start, end }: Window): string => `{"start":"${isoTime(start)}","end":"${isoTime(end)}"}`;

const arrayWriter = (item: DataType): Write => {
  const write = valueWriter(item);
  return (value) => (Array.isArray(value) ? `[${value.map(write).join(",")}]` : jsonText(value));
};

const structWriter = (fields: readonly Field[]): Write => {
  const write = rowWriter({ fields });
  return (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? write(value as Row) : jsonText(value);
};

const MAX_DEPTH = 256;

/** Any value, by what it is: JSON.stringify with bigint, NaN and depth taken care of. */
export function jsonText(value: unknown, depth = 0): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Number.isFinite(value) ? String(value === 0 ? 0 : value) : `"${value}"`;
    case "boolean":
      return value ? "true" : "false";
    case "bigint":
      return value.toString();
    case "object":
      return value === null ? "null" : objectText(value, depth + 1);
    default:
      return "null";
  }
}

function objectText(value: object, depth: number): string {
  if (depth > MAX_DEPTH) {
    throw userError("too-deep", `A value nests more than ${MAX_DEPTH} levels.`, "Flatten it, or write it as a string.");
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "null" : `"${isoTime(value.getTime())}"`;
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString("base64")}"`;
  if (Array.isArray(value) || value instanceof Set) {
    return `[${[...value].map((item) => jsonText(item, depth)).join(",")}]`;
  }
  const members: string[] = [];
  for (const [name, member] of value instanceof Map ? value : Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(String(name))}:${jsonText(member, depth)}`);
  }
  return `{${members.join(",")}}`;
}
