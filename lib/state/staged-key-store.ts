import { internalError } from "../errors.js";
import type { Micros } from "../time/event-time.js";
import { prefixOf } from "./key-codec.js";
import { dueRows, firstDue, type KeyRow, type KeyTable } from "./key-table.js";
import type { StagedStore } from "./staged-store.js";
import { emptyDelta, NOTHING_EXPIRED, REMOVE, setChange, type TableDelta } from "./state-delta.js";
import type { StateRow } from "./state-store.js";

const isDue = (row: KeyRow, through: Micros): boolean => row.expiry !== null && row.expiry <= through;

/** The overlay over a table located by key: the rows that changed, and how far the committed ones expired. */
export function stagedKeyStore<Value>(base: KeyTable): StagedStore<Value> {
  let size = base.size;
  let nextOrder = base.nextOrder;
  let expiredThrough = NOTHING_EXPIRED;
  /** Null: removed. */
  const changed = new Map<string, KeyRow | null>();
  const changedByPrefix = new Map<string, Set<string>>();

  const committed = (key: string): KeyRow | undefined => {
    const row = base.rows.get(key);
    return row === undefined || isDue(row, expiredThrough) ? undefined : row;
  };

  const visible = (key: string): KeyRow | undefined => {
    const row = changed.get(key);
    return row === undefined ? committed(key) : (row ?? undefined);
  };

  const set = (key: string, row: KeyRow | null) => {
    changed.set(key, row);
    if (base.byPrefix === null) return;
    const prefix = prefixOf(key);
    const keys = changedByPrefix.get(prefix);
    if (keys === undefined) changedByPrefix.set(prefix, new Set([key]));
    else keys.add(key);
  };

  const forget = (key: string) => (committed(key) === undefined ? changed.delete(key) : set(key, null));

  const expire = (through: Micros) => {
    if (through > expiredThrough) expiredThrough = through;
    for (const [key, row] of [...changed]) if (row !== null && isDue(row, through)) forget(key);
  };

  const visibleRows = (keys: Iterable<string>): [string, KeyRow][] => {
    const rows: [string, KeyRow][] = [];
    for (const key of keys) {
      const row = visible(key);
      if (row !== undefined) rows.push([key, row]);
    }
    return rows.sort((a, b) => a[1].order - b[1].order);
  };

  const due = (through: Micros): [string, KeyRow][] => {
    const keys = new Set(dueRows(base, through).map(([key]) => key));
    for (const [key, row] of changed) if (row !== null && isDue(row, through)) keys.add(key);
    return visibleRows(keys)
      .filter(([, row]) => isDue(row, through))
      .sort((a, b) => a[1].expiry! - b[1].expiry! || a[1].order - b[1].order);
  };

  const asRows = (rows: [string, KeyRow][]): StateRow<Value>[] =>
    rows.map(([key, row]) => ({ key, value: row.value as Value, expiry: row.expiry }));

  const extract = (): TableDelta => {
    const delta = emptyDelta();
    delta.expiredThrough = expiredThrough;
    for (const [key, row] of changed) {
      const before = committed(key);
      if (before !== undefined && (row === null || before.expiry !== row.expiry))
        setChange(delta, before.expiry, key, REMOVE);
      if (row === null) continue;
      const { value, expiry, order } = row;
      setChange(delta, expiry, key, { kind: "put", value, fresh: order !== base.rows.get(key)?.order, order });
    }
    return delta;
  };

  const allRows = (): StateRow<Value>[] => asRows(visibleRows(new Set([...base.rows.keys(), ...changed.keys()])));

  return {
    get: (key) => visible(key)?.value as Value | undefined,
    put(key, value, expiry) {
      const before = visible(key);
      if (before === undefined) size++;
      set(key, { value, expiry, order: before?.order ?? nextOrder++ });
    },
    remove(key) {
      if (visible(key) === undefined) return;
      size--;
      forget(key);
    },
    withPrefix(prefix) {
      if (base.byPrefix === null) throw internalError("prefix-unsupported", "The table keeps no index by prefix.");
      const keys = new Set(base.byPrefix.get(prefix));
      for (const key of changedByPrefix.get(prefix) ?? []) keys.add(key);
      return asRows(visibleRows(keys));
    },
    rows: allRows,
    lasting: () => allRows().filter(({ expiry }) => expiry === null),
    expired: (through) => asRows(due(through)),
    firstExpiry() {
      // Committed rows that nothing touched, then those that were.
      let first = firstDue(base, (key) => visible(key) === base.rows.get(key));
      for (const key of changed.keys()) {
        const expiry = visible(key)?.expiry ?? null;
        if (expiry !== null && (first === null || expiry < first)) first = expiry;
      }
      return first;
    },
    expireThrough(through) {
      const removed = due(through).length;
      if (removed === 0) return 0;
      expire(through);
      size -= removed;
      return removed;
    },
    get size() {
      return size;
    },
    delta: extract,
  };
}
