import type { Micros } from "../time/event-time.js";
import { type Expiry, NOTHING_EXPIRED, type TableDelta } from "./state-delta.js";

/**
 * Rows found under (expiry, key): a window's rows share one inner map, so a row costs one map entry and no index.
 * Order within a bucket is that of insertion, which segments keep; between buckets it is that of expiry.
 */
export interface ExpiryTable {
  readonly locate: "expiry";
  readonly buckets: Map<Expiry, Map<string, unknown>>;
  size: number;
}

export const expiryTable = (): ExpiryTable => ({ locate: "expiry", buckets: new Map(), size: 0 });

export function applyToExpiryTable(table: ExpiryTable, delta: TableDelta): void {
  if (delta.expiredThrough !== NOTHING_EXPIRED) {
    for (const expiry of expiriesThrough(table.buckets.keys(), delta.expiredThrough)) {
      table.size -= table.buckets.get(expiry)!.size;
      table.buckets.delete(expiry);
    }
  }
  for (const [expiry, changes] of delta.changes) {
    let bucket = table.buckets.get(expiry);
    if (bucket === undefined) {
      bucket = new Map();
      table.buckets.set(expiry, bucket);
    }
    const before = bucket.size;
    for (const [key, change] of changes) {
      if (change.kind === "remove") {
        bucket.delete(key);
      } else {
        if (change.fresh) bucket.delete(key);
        bucket.set(key, change.value);
      }
    }
    table.size += bucket.size - before;
    if (bucket.size === 0) table.buckets.delete(expiry);
  }
}

/** Ascending. */
export function expiriesThrough(expiries: Iterable<Expiry>, through: Micros): Micros[] {
  const due: Micros[] = [];
  for (const expiry of expiries) if (expiry !== null && expiry <= through) due.push(expiry);
  return due.sort((a, b) => a - b);
}

/** Ascending, those that never expire last. */
export const compareExpiry = (a: Expiry, b: Expiry): number => (a === b ? 0 : a === null ? 1 : b === null ? -1 : a - b);
