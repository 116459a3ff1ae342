import type { Row, Schema } from "../plan/schema.js";
import { valueWriter } from "../sinks/json-lines.js";
import { readableRow } from "../sinks/readable-row.js";
import { isWindow } from "../time/window.js";

/** The values of a row as a person reads them: text without quotes, windows from start to end. */
export function cellsOf(schema: Schema): (row: Row) => readonly string[] {
  const columns = schema.fields.map(({ name, type }) => ({ name, write: valueWriter(type) }));
  return (row) => {
    const readable = readableRow(row, schema);
    return columns.map(({ name, write }) => {
      const value = readable[name] ?? null;
      if (value === null) return "null";
      if (typeof value === "string") return value;
      if (isWindow(row[name])) return windowText(value as { readonly start: string; readonly end: string });
      return write(row[name]);
    });
  };
}

const windowText = ({ start, end }: { readonly start: string; readonly end: string }): string => `${start} – ${end}`;
