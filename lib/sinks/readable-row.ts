import type { DataType, Row, Schema } from "../plan/schema.js";
import { isoLocalTime, isoTime } from "../time/iso-time.js";
import { isWindow } from "../time/window.js";

/** A row as a JSON value that says its times in words: columns of the schema in its order, then the others. */
export function readableRow(row: Row, schema: Schema | undefined): Row {
  if (schema === undefined) return row;
  const members: [string, unknown][] = schema.fields.map(({ name, type }) => [name, readable(row[name] ?? null, type)]);
  const declared = new Set(schema.fields.map((field) => field.name));
  for (const name of Object.keys(row)) if (!declared.has(name)) members.push([name, row[name]]);
  return Object.fromEntries(members);
}

function readable(value: unknown, type: DataType): unknown {
  if (value === null) return null;
  if (typeof type === "object") {
    if ("array" in type) return Array.isArray(value) ? value.map((item) => readable(item, type.array)) : value;
    return typeof value === "object" ? readableRow(value as Row, { fields: type.struct }) : value;
  }
  if (type === "timestamp") return typeof value === "number" ? isoTime(value) : value;
  if (type === "timestamp_ntz") return typeof value === "number" ? isoLocalTime(value) : value;
  if (type === "window") return isWindow(value) ? { start: isoTime(value.start), end: isoTime(value.end) } : value;
  return value;
}
