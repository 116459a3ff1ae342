import type { Micros } from "../time/event-time.js";

/** What an operator keeps. An operator declares its tables; the runtime opens them. */
export interface TableSpec {
  readonly operatorId: string;
  /** One operator may keep several: a join's sides, a processor's variables. */
  readonly table: string;
  /**
   * `expiry`: the expiry is part of the key's meaning (a window end), so a row is found under (expiry, key) and costs no second index.
   * `key`: a row is found by its key alone, whatever its expiry.
   */
  readonly locate: "expiry" | "key";
  /** Rows are also found by a prefix of their key: keys are `prefix + "\u0000" + rest`, see `StateStore.withPrefix`. */
  readonly prefixed?: boolean;
  /** Which clock its expiries are read on; event time unless said. Processing-time expiries (µs) are what makes a tick due at `nextTimer`. */
  readonly clock?: "eventTime" | "processingTime";
}

export interface StateRow<Value> {
  readonly key: string;
  readonly value: Value;
  /** Whole µs; null: never expires. */
  readonly expiry: Micros | null;
}

/**
 * One table as an operator sees it: an overlay over the untouched committed state (protocol.md rule 4).
 * Keys are canonical strings from `state/key-codec`; values are anything the row codec takes (DATA.md section 6).
 */
export interface StateStore<Value = unknown> {
  /** The overlay's row, else the committed one. A committed value must not be changed: clone it, `put` the clone. `expiry` must be given where `locate` is `expiry`. */
  get(key: string, expiry?: Micros | null): Value | undefined;
  put(key: string, value: Value, expiry: Micros | null): void;
  remove(key: string, expiry?: Micros | null): void;
  /** Rows whose key starts with `prefix + "\u0000"`, in insertion order. Only where `prefixed`. */
  withPrefix(prefix: string): Iterable<StateRow<Value>>;
  /** Every row, in no promised order but the same for the same history. */
  rows(): Iterable<StateRow<Value>>;
  /** Rows that never expire. Where located by expiry it costs no more than they are. */
  lasting(): Iterable<StateRow<Value>>;
  /** Rows with `expiry <= through`, ascending by expiry, then by insertion; they stay until removed. */
  expired(through: Micros): Iterable<StateRow<Value>>;
  /** The lowest expiry of any row; null if none expires. Costs distinct expiries (minutes of them, where located by key) and what changed, not rows. */
  firstExpiry(): Micros | null;
  /** Removes every row with `expiry <= through` as one delta entry; returns how many. */
  expireThrough(through: Micros): number;
  readonly size: number;
}

/** All tables of a query at one version. */
export interface StateView {
  table<Value>(spec: TableSpec): StateStore<Value>;
}
