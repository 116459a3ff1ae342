import type { Row, Schema } from "../plan/schema.js";
import { readableRow } from "../sinks/readable-row.js";
import { parseIsoTimestamp } from "../time/iso-timestamp.js";
import { isWindow } from "../time/window.js";
import { UsageError } from "./command.js";

/** Whether a row is asked for, and by which columns. */
interface RowFilter {
  readonly columns: readonly string[];
  matches(row: Row, schema: Schema): boolean;
}

/** `column=value` for each; a window by its start, times in ISO 8601. Rows without the column do not match. */
export function rowFilter(conditions: readonly string[]): RowFilter {
  const wanted = conditions.map((text): readonly [name: string, value: string] => {
    const at = text.indexOf("=");
    if (at < 1) throw new UsageError(`--key takes column=value, not '${text}'.`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
  return {
    columns: wanted.map(([name]) => name),
    matches(row, schema) {
      if (wanted.length === 0) return true;
      const readable = readableRow(row, schema);
      return wanted.every(([name, value]) => Object.hasOwn(row, name) && holds(row[name], readable[name], value));
    },
  };
}

function holds(value: unknown, readable: unknown, wanted: string): boolean {
  if (isWindow(value)) return value.start === parseIsoTimestamp(wanted);
  return String(readable) === wanted || (typeof value === "number" && value === parseIsoTimestamp(wanted));
}
