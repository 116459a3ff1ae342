import type { Micros } from "../time/event-time.js";
import { prefixOf } from "./key-codec.js";
import { type Expiry, NOTHING_EXPIRED, type TableDelta } from "./state-delta.js";

export interface KeyRow {
  readonly value: unknown;
  readonly expiry: Expiry;
  /** Order of insertion over the whole table; kept by updates, so that a cold load lists rows as a warm environment does. */
  readonly order: number;
}

/** Rows found by key alone, with an index by expiry minute and, if asked, one by prefix. */
export interface KeyTable {
  readonly locate: "key";
  readonly rows: Map<string, KeyRow>;
  /** `floor(expiry / 1 min)` → keys. Coarse, so that finding what is due costs minutes and not rows. */
  readonly due: Map<number, Set<string>>;
  readonly byPrefix: Map<string, Set<string>> | null;
  nextOrder: number;
  readonly size: number;
}

const MINUTE: Micros = 60_000_000;

export function keyTable(prefixed: boolean): KeyTable {
  const rows = new Map<string, KeyRow>();
  return {
    locate: "key",
    rows,
    due: new Map(),
    byPrefix: prefixed ? new Map() : null,
    nextOrder: 1,
    get size() {
      return rows.size;
    },
  };
}

export function applyToKeyTable(table: KeyTable, delta: TableDelta): void {
  if (delta.expiredThrough !== NOTHING_EXPIRED) {
    for (const [key] of dueRows(table, delta.expiredThrough)) removeRow(table, key);
  }
  for (const [expiry, changes] of delta.changes) {
    for (const [key, change] of changes) {
      if (change.kind === "remove" && table.rows.get(key)?.expiry === expiry) removeRow(table, key);
    }
  }
  const puts: [string, KeyRow][] = [];
  for (const [expiry, changes] of delta.changes) {
    for (const [key, change] of changes) {
      if (change.kind === "put") puts.push([key, { value: change.value, expiry, order: change.order }]);
    }
  }
  putRows(table, puts);
}

/** Rows that are new enter in their order, whatever bucket they came from. */
function putRows(table: KeyTable, rows: [string, KeyRow][]): void {
  rows.sort((a, b) => a[1].order - b[1].order);
  for (const [key, row] of rows) {
    const before = table.rows.get(key);
    if (before !== undefined && before.order !== row.order) removeRow(table, key);
    else if (before !== undefined && before.expiry !== row.expiry) removeDue(table, before.expiry, key);
    table.rows.set(key, row);
    if (row.order >= table.nextOrder) table.nextOrder = row.order + 1;
    if (row.expiry !== null) addTo(table.due, Math.floor(row.expiry / MINUTE), key);
    if (table.byPrefix !== null) addTo(table.byPrefix, prefixOf(key), key);
  }
}

/** Ascending by expiry, then by insertion. */
export function dueRows(table: KeyTable, through: Micros): [string, KeyRow][] {
  const last = Math.floor(through / MINUTE);
  const due: [string, KeyRow][] = [];
  for (const [minute, keys] of table.due) {
    if (minute > last) continue;
    for (const key of keys) {
      const row = table.rows.get(key)!;
      if (row.expiry !== null && row.expiry <= through) due.push([key, row]);
    }
  }
  return due.sort((a, b) => a[1].expiry! - b[1].expiry! || a[1].order - b[1].order);
}

/** The lowest expiry among rows that `counts` says stand. */
export function firstDue(table: KeyTable, counts: (key: string) => boolean): Micros | null {
  for (const minute of [...table.due.keys()].sort((a, b) => a - b)) {
    let first: Micros | null = null;
    for (const key of table.due.get(minute)!) {
      const { expiry } = table.rows.get(key)!;
      if (expiry !== null && (first === null || expiry < first) && counts(key)) first = expiry;
    }
    if (first !== null) return first;
  }
  return null;
}

function removeRow(table: KeyTable, key: string): void {
  const row = table.rows.get(key);
  if (row === undefined) return;
  table.rows.delete(key);
  removeDue(table, row.expiry, key);
  if (table.byPrefix !== null) removeFrom(table.byPrefix, prefixOf(key), key);
}

function removeDue(table: KeyTable, expiry: Expiry, key: string): void {
  if (expiry !== null) removeFrom(table.due, Math.floor(expiry / MINUTE), key);
}

function addTo<K>(index: Map<K, Set<string>>, at: K, key: string): void {
  const keys = index.get(at);
  if (keys === undefined) index.set(at, new Set([key]));
  else keys.add(key);
}

function removeFrom<K>(index: Map<K, Set<string>>, at: K, key: string): void {
  const keys = index.get(at);
  if (keys === undefined) return;
  keys.delete(key);
  if (keys.size === 0) index.delete(at);
}
