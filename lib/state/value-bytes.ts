import { type CommittedTable, physicalRowsThrough } from "./committed-table.js";
import { NOTHING_EXPIRED, type TableDelta } from "./state-delta.js";

/** Map entry, key header and the row's share of its bucket, on 64-bit V8 with pointer compression off. */
const ROW_BYTES = 64;

/** Estimated heap bytes of a row; a limit needs an even hand, not exactness. */
export const rowBytes = (key: string, value: unknown): number => ROW_BYTES + key.length + valueBytes(value);

export function valueBytes(value: unknown): number {
  switch (typeof value) {
    case "string":
      return 24 + value.length;
    case "bigint":
      return 32;
    case "object":
      break;
    default:
      return 8;
  }
  if (value === null) return 8;
  if (value instanceof Uint8Array) return 96 + value.length;
  let bytes = Array.isArray(value) ? 32 : 56;
  for (const element of Array.isArray(value) ? value : Object.values(value)) bytes += valueBytes(element);
  return bytes;
}

/** By how much the table's estimate changes when `delta` is applied. Costs what changed, not what there is. */
export function deltaBytes(table: CommittedTable, delta: TableDelta): number {
  let bytes = 0;
  if (delta.expiredThrough !== NOTHING_EXPIRED) {
    for (const row of physicalRowsThrough(table, delta.expiredThrough)) bytes -= rowBytes(row.key, row.value);
  }
  for (const [expiry, changes] of delta.changes) {
    const expired = expiry !== null && expiry <= delta.expiredThrough;
    for (const [key, change] of changes) {
      const before = expired ? undefined : committedValue(table, expiry, key);
      if (before !== undefined) bytes -= rowBytes(key, before);
      if (change.kind === "put") bytes += rowBytes(key, change.value);
    }
  }
  return bytes;
}

function committedValue(table: CommittedTable, expiry: number | null, key: string): unknown {
  if (table.locate === "expiry") return table.buckets.get(expiry)?.get(key);
  const row = table.rows.get(key);
  return row?.expiry === expiry ? row.value : undefined;
}
