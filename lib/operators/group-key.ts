import { internalError } from "../errors.js";
import type { Row } from "../plan/schema.js";
import { fromMicros, type Micros } from "../time/event-time.js";
import type { KeyColumns } from "./key-columns.js";

const END = "\u0002";

/**
 * The key of a window's group: start and size in base 36, then the other keys. A window keeps its bounds even when the
 * query's window size changes over a restart, and two windows of one end stay two groups (SEMANTICS I5).
 */
export const windowPrefix = (start: Micros, size: Micros): string => `${start.toString(36)},${size.toString(36)}${END}`;

/** Where the window of a group's key ends. */
export function windowEnd(key: string): Micros {
  const { start, size } = boundsOf(key);
  return start + size;
}

function boundsOf(key: string): { readonly start: Micros; readonly size: Micros; readonly rest: number } {
  const comma = key.indexOf(",");
  const end = key.indexOf(END);
  if (comma < 0 || end < comma) throw internalError("corrupt-key", "A stored key is damaged: it has no window.");
  const start = Number.parseInt(key.slice(0, comma), 36);
  const size = Number.parseInt(key.slice(comma + 1, end), 36);
  return { start, size, rest: end + 1 };
}

/** Sets the window column and the key columns of an output row. */
export function windowGroupRow(key: string, as: string, keys: KeyColumns): Row {
  const { start, size, rest } = boundsOf(key);
  const row: Row = { [as]: { start: fromMicros(start), end: fromMicros(start + size) } };
  return keys.names.length === 0 ? row : Object.assign(row, keys.decode(key.slice(rest)));
}
