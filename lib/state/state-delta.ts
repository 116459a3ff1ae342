import type { Micros } from "../time/event-time.js";

/** Where a row lives: its expiry; null for rows that never expire. */
export type Expiry = Micros | null;

/** What becomes of one row. Frozen in meaning, not in fact: the overlay that owns a `put` may change its value until it is committed. */
export type Change =
  | {
      readonly kind: "put";
      readonly value: unknown;
      /** The row was removed before: what stands under this key goes first, so the row moves to the end. */
      readonly fresh: boolean;
      /** Place in the table's order of insertion; 0 in tables located by expiry, whose buckets keep their order themselves. */
      readonly order: number;
    }
  | { readonly kind: "remove" };

/**
 * The net change of one table, physical (protocol.md rule 14): first every row with `expiry <= expiredThrough` goes,
 * then the changes apply, by exact (expiry, key). A row that changed its expiry is a `remove` there and a `put` here.
 */
export interface TableDelta {
  expiredThrough: Micros;
  readonly changes: Map<Expiry, Map<string, Change>>;
}

/** Table id → delta. */
export type StateDelta = ReadonlyMap<string, TableDelta>;

export const NOTHING_EXPIRED: Micros = Number.NEGATIVE_INFINITY;

export const REMOVE: Change = Object.freeze({ kind: "remove" });

export const emptyDelta = (): TableDelta => ({ expiredThrough: NOTHING_EXPIRED, changes: new Map() });

export const isEmptyDelta = (delta: TableDelta): boolean =>
  delta.expiredThrough === NOTHING_EXPIRED && delta.changes.size === 0;

export function setChange(delta: TableDelta, expiry: Expiry, key: string, change: Change): void {
  let bucket = delta.changes.get(expiry);
  if (bucket === undefined) {
    bucket = new Map();
    delta.changes.set(expiry, bucket);
  }
  const before = bucket.get(key);
  if (before === undefined) {
    bucket.set(key, change);
  } else if (before.kind === "put" && change.kind === "put" && !change.fresh) {
    bucket.set(key, { ...change, fresh: before.fresh });
  } else {
    bucket.delete(key);
    bucket.set(key, change.kind === "put" ? { ...change, fresh: true } : change);
  }
}

export function expireChanges(delta: TableDelta, through: Micros): void {
  for (const expiry of delta.changes.keys()) if (expiry !== null && expiry <= through) delta.changes.delete(expiry);
  if (through > delta.expiredThrough) delta.expiredThrough = through;
}

/** Adds `later` to `into`: the net change of a stretch of batches, which is what a run holds. */
export function composeDelta(into: TableDelta, later: TableDelta): void {
  if (later.expiredThrough !== NOTHING_EXPIRED) expireChanges(into, later.expiredThrough);
  for (const [expiry, bucket] of later.changes) {
    for (const [key, change] of bucket) setChange(into, expiry, key, change);
  }
}
