import { type CommittedTable, physicalRowsThrough } from "./committed-table.js";
import { prefixOf } from "./key-codec.js";
import type { KeyTable } from "./key-table.js";
import { type Expiry, NOTHING_EXPIRED, type TableDelta } from "./state-delta.js";

/*
 * What rows take in the heap of 64-bit V8 without pointer compression, as Node is built. `maxStateBytes` rests on it: an estimate that is
 * too low lets the state end the process. `npm run bench` compares it with the heap, per operator.
 */

/** An entry of a Map, whose table is between half full and full. */
const MAP_ENTRY = 44;
/** Of a Set. */
const SET_ENTRY = 26;
/** Of a row found by its key: value, expiry and order. */
const KEY_ROW = 48;
/** A number that is no small integer, where it stands in an object or a list of other things. */
const BOXED = 16;
/** The Map of one expiry's rows, with its entry. */
const BUCKET = 200;
/** The Set of one prefix's keys, with its entry and the prefix. */
const PREFIX = 230;

const BEYOND_LATIN1 = /[\u0100-\uffff]/;

type Locate = Pick<CommittedTable, "locate"> & { readonly byPrefix?: KeyTable["byPrefix"] };

/** Estimated heap bytes of a row, without the bucket or the prefix that it may be the first of. */
export function rowBytes(table: Locate, key: string, value: unknown, expiry: Expiry): number {
  const bytes = MAP_ENTRY + stringBytes(key) + valueBytes(value);
  if (table.locate === "expiry") return bytes;
  const prefixed = table.byPrefix === undefined || table.byPrefix === null ? 0 : SET_ENTRY;
  return bytes + KEY_ROW + prefixed + (expiry === null ? 0 : BOXED + SET_ENTRY);
}

/** Of what a slot refers to; small integers, booleans and null stand in the slot itself. */
export function valueBytes(value: unknown): number {
  switch (typeof value) {
    case "number":
      return isSmall(value) ? 0 : BOXED;
    case "string":
      return stringBytes(value);
    case "bigint":
      return 32;
    case "object":
      return value === null ? 0 : objectBytes(value);
    default:
      return 0;
  }
}

const isSmall = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 31;

/** One byte a character, or two where any is beyond Latin-1; padded. */
function stringBytes(text: string): number {
  const width = BEYOND_LATIN1.test(text) ? 2 : 1;
  return 16 + Math.ceil((text.length * width) / 8) * 8;
}

function objectBytes(value: object): number {
  if (value instanceof Uint8Array) return 200 + value.length;
  if (value instanceof Date) return 96;
  if (Array.isArray(value)) {
    // A list of numbers alone holds them unboxed.
    const own = 48 + 8 * value.length;
    return value.every((item) => typeof item === "number")
      ? own
      : value.reduce((sum, item) => sum + valueBytes(item), own);
  }
  let fields = 0;
  let bytes = 0;
  for (const name in value) {
    fields++;
    bytes += valueBytes((value as Record<string, unknown>)[name]);
  }
  // Four slots in the object, the others in a store of its own that grows by three.
  return bytes + 56 + (fields <= 4 ? 0 : 16 + 24 * Math.ceil((fields - 4) / 3));
}

/** By how much the table's estimate changes when `delta` is applied. Costs what changed, not what there is. */
export function deltaBytes(table: CommittedTable, delta: TableDelta): number {
  let bytes = 0;
  const prefixes = new Map<string, number>();
  const count = (key: string, change: 1 | -1): void => {
    if (table.locate !== "key" || table.byPrefix === null) return;
    const prefix = prefixOf(key);
    prefixes.set(prefix, (prefixes.get(prefix) ?? 0) + change);
  };
  if (delta.expiredThrough !== NOTHING_EXPIRED) {
    for (const row of physicalRowsThrough(table, delta.expiredThrough)) {
      bytes -= rowBytes(table, row.key, row.value, row.expiry);
      count(row.key, -1);
    }
    if (table.locate === "expiry")
      for (const expiry of table.buckets.keys()) if (isExpired(expiry, delta)) bytes -= BUCKET;
  }
  for (const [expiry, changes] of delta.changes) {
    const expired = isExpired(expiry, delta);
    const before = expired || table.locate === "key" ? 0 : (table.buckets.get(expiry)?.size ?? 0);
    let after = before;
    for (const [key, change] of changes) {
      const standing = expired ? undefined : committedValue(table, expiry, key);
      if (standing !== undefined) {
        bytes -= rowBytes(table, key, standing, expiry);
        count(key, -1);
        after--;
      }
      if (change.kind === "put") {
        bytes += rowBytes(table, key, change.value, expiry);
        count(key, 1);
        after++;
      }
    }
    if (table.locate === "expiry") bytes += BUCKET * (Number(after > 0) - Number(before > 0));
  }
  for (const [prefix, change] of prefixes) {
    const before = (table as KeyTable).byPrefix!.get(prefix)?.size ?? 0;
    bytes += PREFIX * (Number(before + change > 0) - Number(before > 0));
  }
  return bytes;
}

const isExpired = (expiry: Expiry, { expiredThrough }: TableDelta): boolean =>
  expiry !== null && expiry <= expiredThrough;

function committedValue(table: CommittedTable, expiry: number | null, key: string): unknown {
  if (table.locate === "expiry") return table.buckets.get(expiry)?.get(key);
  const row = table.rows.get(key);
  return row?.expiry === expiry ? row.value : undefined;
}
