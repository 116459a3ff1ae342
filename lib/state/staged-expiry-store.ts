import { internalError } from "../errors.js";
import type { Micros } from "../time/event-time.js";
import { compareExpiry, type ExpiryTable, expiriesThrough } from "./expiry-table.js";
import type { StagedStore } from "./staged-store.js";
import {
  composeDelta,
  type Expiry,
  emptyDelta,
  expireChanges,
  REMOVE,
  setChange,
  type TableDelta,
} from "./state-delta.js";
import type { StateRow } from "./state-store.js";

/** The overlay over a table located by expiry: a stack of deltas, one per open savepoint and one below them. */
export function stagedExpiryStore<Value>(base: ExpiryTable): StagedStore<Value> {
  const layers: { readonly delta: TableDelta; readonly sizeBelow: number }[] = [];
  let top = emptyDelta();
  let size = base.size;

  const deltaAt = (level: number) => (level === layers.length ? top : layers[level]!.delta);

  /** The value as the layers up to `level` leave it; -1 is the committed table. */
  const visible = (level: number, expiry: Expiry, key: string): unknown => {
    for (let i = level; i >= 0; i--) {
      const delta = deltaAt(i);
      const change = delta.changes.get(expiry)?.get(key);
      if (change !== undefined) return change.kind === "put" ? change.value : undefined;
      if (expiry !== null && expiry <= delta.expiredThrough) return undefined;
    }
    return base.buckets.get(expiry)?.get(key);
  };

  /** Lazily, for a bucket may be large and only its first row be wanted; changes made meanwhile do not show in the bucket begun. */
  function* bucketAt(level: number, expiry: Expiry): Iterable<[string, unknown]> {
    if (level < 0) {
      yield* base.buckets.get(expiry) ?? [];
      return;
    }
    const delta = deltaAt(level);
    const hidden = expiry !== null && expiry <= delta.expiredThrough;
    const bucket = delta.changes.get(expiry);
    if (bucket === undefined) {
      if (!hidden) yield* bucketAt(level - 1, expiry);
      return;
    }
    const changes = new Map(bucket);
    for (const row of hidden ? [] : bucketAt(level - 1, expiry)) {
      const change = changes.get(row[0]);
      if (change === undefined) yield row;
      else if (change.kind === "put" && !change.fresh) yield [row[0], change.value];
    }
    for (const [key, change] of changes) if (change.kind === "put" && change.fresh) yield [key, change.value];
  }

  const countAt = (level: number, expiry: Expiry): number => {
    if (level < 0) return base.buckets.get(expiry)?.size ?? 0;
    const delta = deltaAt(level);
    if (delta.changes.has(expiry)) {
      let count = 0;
      for (const _ of bucketAt(level, expiry)) count++;
      return count;
    }
    return expiry !== null && expiry <= delta.expiredThrough ? 0 : countAt(level - 1, expiry);
  };

  const expiries = (): Set<Expiry> => {
    const all = new Set<Expiry>(base.buckets.keys());
    for (let i = 0; i <= layers.length; i++) for (const expiry of deltaAt(i).changes.keys()) all.add(expiry);
    return all;
  };

  function* rowsOf(order: readonly Expiry[]): Iterable<StateRow<Value>> {
    for (const expiry of order) {
      for (const [key, value] of bucketAt(layers.length, expiry)) yield { key, value: value as Value, expiry };
    }
  }

  const located = (expiry: Expiry | undefined): Expiry => {
    if (expiry === undefined) throw internalError("expiry-missing", "A table located by expiry was asked without one.");
    return expiry;
  };

  return {
    get: (key, expiry) => visible(layers.length, located(expiry), key) as Value | undefined,
    own(key, expiry) {
      const change = top.changes.get(located(expiry))?.get(key);
      return change?.kind === "put" ? (change.value as Value) : undefined;
    },
    put(key, value, expiry) {
      const fresh = visible(layers.length, expiry, key) === undefined;
      if (fresh) size++;
      setChange(top, expiry, key, { kind: "put", value, fresh, order: 0 });
    },
    remove(key, expiry) {
      const at = located(expiry);
      if (visible(layers.length, at, key) === undefined) return;
      size--;
      const hiddenBelow = at !== null && at <= top.expiredThrough;
      if (!hiddenBelow && visible(layers.length - 1, at, key) !== undefined) setChange(top, at, key, REMOVE);
      else top.changes.get(at)?.delete(key);
    },
    withPrefix() {
      throw internalError("prefix-unsupported", "A table located by expiry keeps no index by prefix.");
    },
    rows: () => rowsOf([...expiries()].sort(compareExpiry)),
    lasting: () => rowsOf([null]),
    expired: (through) => rowsOf(expiriesThrough(expiries(), through)),
    firstExpiry() {
      for (const { expiry } of rowsOf(expiriesThrough(expiries(), Number.MAX_SAFE_INTEGER))) return expiry;
      return null;
    },
    expireThrough(through: Micros) {
      let removed = 0;
      for (const expiry of expiriesThrough(expiries(), through)) removed += countAt(layers.length, expiry);
      if (removed === 0) return 0;
      expireChanges(top, through);
      size -= removed;
      return removed;
    },
    get size() {
      return size;
    },
    push() {
      layers.push({ delta: top, sizeBelow: size });
      top = emptyDelta();
    },
    pop(keep) {
      const below = layers.pop()!;
      if (keep) composeDelta(below.delta, top);
      else size = below.sizeBelow;
      top = below.delta;
    },
    delta: () => top,
  };
}
