import { internalError } from "../errors.js";
import type { Micros } from "../time/event-time.js";
import { prefixOf } from "./key-codec.js";
import { dueRows, firstDue, type KeyRow, type KeyTable } from "./key-table.js";
import type { StagedStore } from "./staged-store.js";
import { emptyDelta, NOTHING_EXPIRED, REMOVE, setChange, type TableDelta } from "./state-delta.js";
import type { StateRow } from "./state-store.js";

interface Layer {
  expiredThrough: Micros;
  /** Null: removed. */
  readonly rows: Map<string, KeyRow | null>;
  readonly byPrefix: Map<string, Set<string>>;
  readonly sizeBefore: number;
  readonly orderBefore: number;
}

const isDue = (row: KeyRow, through: Micros): boolean => row.expiry !== null && row.expiry <= through;

/** The overlay over a table located by key: a stack of layers, one per open savepoint and one below them. */
export function stagedKeyStore<Value>(base: KeyTable): StagedStore<Value> {
  let size = base.size;
  let nextOrder = base.nextOrder;
  const newLayer = (): Layer => ({
    expiredThrough: NOTHING_EXPIRED,
    rows: new Map(),
    byPrefix: new Map(),
    sizeBefore: size,
    orderBefore: nextOrder,
  });
  const layers: Layer[] = [newLayer()];
  const topLevel = () => layers.length - 1;

  /** The row as the layers up to `level` leave it; -1 is the committed table. */
  const visible = (level: number, key: string): KeyRow | undefined => {
    let expiredThrough = NOTHING_EXPIRED;
    let row: KeyRow | null | undefined;
    for (let i = level; i >= 0 && row === undefined; i--) {
      row = layers[i]!.rows.get(key);
      if (row === undefined) expiredThrough = Math.max(expiredThrough, layers[i]!.expiredThrough);
    }
    if (row === undefined) row = base.rows.get(key);
    return row == null || isDue(row, expiredThrough) ? undefined : row;
  };

  /** What the top layer would show had it not touched `key`. */
  const below = (key: string): KeyRow | undefined => {
    const row = visible(topLevel() - 1, key);
    return row !== undefined && isDue(row, layers[topLevel()]!.expiredThrough) ? undefined : row;
  };

  const set = (key: string, row: KeyRow | null) => {
    const layer = layers[topLevel()]!;
    layer.rows.set(key, row);
    if (base.byPrefix === null) return;
    const prefix = prefixOf(key);
    const keys = layer.byPrefix.get(prefix);
    if (keys === undefined) layer.byPrefix.set(prefix, new Set([key]));
    else keys.add(key);
  };

  const forget = (key: string) => (below(key) === undefined ? layers[topLevel()]!.rows.delete(key) : set(key, null));

  const expire = (through: Micros) => {
    const layer = layers[topLevel()]!;
    if (through > layer.expiredThrough) layer.expiredThrough = through;
    for (const [key, row] of [...layer.rows]) if (row !== null && isDue(row, through)) forget(key);
  };

  const visibleRows = (keys: Iterable<string>): [string, KeyRow][] => {
    const rows: [string, KeyRow][] = [];
    for (const key of keys) {
      const row = visible(topLevel(), key);
      if (row !== undefined) rows.push([key, row]);
    }
    return rows.sort((a, b) => a[1].order - b[1].order);
  };

  const due = (through: Micros): [string, KeyRow][] => {
    const keys = new Set(dueRows(base, through).map(([key]) => key));
    for (const layer of layers)
      for (const [key, row] of layer.rows) if (row !== null && isDue(row, through)) keys.add(key);
    return visibleRows(keys)
      .filter(([, row]) => isDue(row, through))
      .sort((a, b) => a[1].expiry! - b[1].expiry! || a[1].order - b[1].order);
  };

  const asRows = (rows: [string, KeyRow][]): StateRow<Value>[] =>
    rows.map(([key, row]) => ({ key, value: row.value as Value, expiry: row.expiry }));

  const extract = (): TableDelta => {
    const { rows, expiredThrough } = layers[0]!;
    const delta = emptyDelta();
    delta.expiredThrough = expiredThrough;
    for (const [key, row] of rows) {
      const before = base.rows.get(key);
      const stands = before !== undefined && !isDue(before, expiredThrough);
      if (stands && before.expiry !== row?.expiry) setChange(delta, before.expiry, key, REMOVE);
      else if (stands && row === null) setChange(delta, before.expiry, key, REMOVE);
      if (row !== null) {
        const { value, expiry, order } = row;
        setChange(delta, expiry, key, { kind: "put", value, fresh: order !== before?.order, order });
      }
    }
    return delta;
  };

  const allRows = (): StateRow<Value>[] => {
    const keys = new Set(base.rows.keys());
    for (const layer of layers) for (const key of layer.rows.keys()) keys.add(key);
    return asRows(visibleRows(keys));
  };

  return {
    get: (key) => visible(topLevel(), key)?.value as Value | undefined,
    own: (key) => (layers[topLevel()]!.rows.get(key) ?? undefined)?.value as Value | undefined,
    put(key, value, expiry) {
      const before = visible(topLevel(), key);
      if (before === undefined) size++;
      set(key, { value, expiry, order: before?.order ?? nextOrder++ });
    },
    remove(key) {
      if (visible(topLevel(), key) === undefined) return;
      size--;
      forget(key);
    },
    withPrefix(prefix) {
      if (base.byPrefix === null) throw internalError("prefix-unsupported", "The table keeps no index by prefix.");
      const keys = new Set(base.byPrefix.get(prefix));
      for (const layer of layers) for (const key of layer.byPrefix.get(prefix) ?? []) keys.add(key);
      return asRows(visibleRows(keys));
    },
    rows: allRows,
    lasting: () => allRows().filter(({ expiry }) => expiry === null),
    expired: (through) => asRows(due(through)),
    firstExpiry() {
      // Rows of the committed table that no layer touched, then those that one did.
      let first = firstDue(base, (key) => visible(topLevel(), key) === base.rows.get(key));
      for (const layer of layers) {
        for (const key of layer.rows.keys()) {
          const expiry = visible(topLevel(), key)?.expiry ?? null;
          if (expiry !== null && (first === null || expiry < first)) first = expiry;
        }
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
    push: () => void layers.push(newLayer()),
    pop(keep) {
      const popped = layers.pop()!;
      if (!keep) {
        size = popped.sizeBefore;
        nextOrder = popped.orderBefore;
        return;
      }
      if (popped.expiredThrough !== NOTHING_EXPIRED) expire(popped.expiredThrough);
      for (const [key, row] of popped.rows) if (row === null) forget(key);
      for (const [key, row] of popped.rows) if (row !== null) set(key, row);
    },
    delta: extract,
  };
}
