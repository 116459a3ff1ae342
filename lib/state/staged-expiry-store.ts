import { internalError } from "../errors.js";
import type { Micros } from "../time/event-time.js";
import { compareExpiry, type ExpiryTable, expiriesThrough } from "./expiry-table.js";
import type { StagedStore } from "./staged-store.js";
import { type Expiry, emptyDelta, expireChanges, REMOVE, setChange } from "./state-delta.js";
import type { StateRow } from "./state-store.js";

/** The overlay over a table located by expiry: the delta itself, read on top of the committed buckets. */
export function stagedExpiryStore<Value>(base: ExpiryTable): StagedStore<Value> {
  const delta = emptyDelta();
  let size = base.size;

  const isHidden = (expiry: Expiry): boolean => expiry !== null && expiry <= delta.expiredThrough;

  const committed = (expiry: Expiry): ReadonlyMap<string, unknown> | undefined =>
    isHidden(expiry) ? undefined : base.buckets.get(expiry);

  const visible = (expiry: Expiry, key: string): unknown => {
    const change = delta.changes.get(expiry)?.get(key);
    if (change !== undefined) return change.kind === "put" ? change.value : undefined;
    return committed(expiry)?.get(key);
  };

  /** Lazily, for a bucket may be large and only its first row be wanted; changes made meanwhile do not show in the bucket begun. */
  function* bucketAt(expiry: Expiry): Iterable<[string, unknown]> {
    const bucket = delta.changes.get(expiry);
    if (bucket === undefined) {
      yield* committed(expiry) ?? [];
      return;
    }
    const changes = new Map(bucket);
    for (const row of committed(expiry) ?? []) {
      const change = changes.get(row[0]);
      if (change === undefined) yield row;
      else if (change.kind === "put" && !change.fresh) yield [row[0], change.value];
    }
    for (const [key, change] of changes) if (change.kind === "put" && change.fresh) yield [key, change.value];
  }

  const countAt = (expiry: Expiry): number => {
    if (!delta.changes.has(expiry)) return committed(expiry)?.size ?? 0;
    let count = 0;
    for (const _ of bucketAt(expiry)) count++;
    return count;
  };

  const expiries = (): Set<Expiry> => new Set([...base.buckets.keys(), ...delta.changes.keys()]);

  function* rowsOf(order: readonly Expiry[]): Iterable<StateRow<Value>> {
    for (const expiry of order) {
      for (const [key, value] of bucketAt(expiry)) yield { key, value: value as Value, expiry };
    }
  }

  const located = (expiry: Expiry | undefined): Expiry => {
    if (expiry === undefined) throw internalError("expiry-missing", "A table located by expiry was asked without one.");
    return expiry;
  };

  return {
    get: (key, expiry) => visible(located(expiry), key) as Value | undefined,
    put(key, value, expiry) {
      const fresh = visible(expiry, key) === undefined;
      if (fresh) size++;
      setChange(delta, expiry, key, { kind: "put", value, fresh, order: 0 });
    },
    remove(key, expiry) {
      const at = located(expiry);
      if (visible(at, key) === undefined) return;
      size--;
      if (committed(at)?.has(key)) setChange(delta, at, key, REMOVE);
      else delta.changes.get(at)?.delete(key);
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
      for (const expiry of expiriesThrough(expiries(), through)) removed += countAt(expiry);
      if (removed === 0) return 0;
      expireChanges(delta, through);
      size -= removed;
      return removed;
    },
    get size() {
      return size;
    },
    delta: () => delta,
  };
}
