import { userError } from "../../errors.js";
import type { StateStore, TableSpec } from "../../state/state-store.js";
import type { PassContext } from "../operator.js";

/** What the state variables and timers of one processor share: the running pass, the key of the running call, counters. */
export interface ProcessorScope {
  pass: PassContext | null;
  key: string | null;
  updated: number;
  removed: number;
}

export const processorScope = (): ProcessorScope => ({ pass: null, key: null, updated: 0, removed: 0 });

/** The key of the running call: state belongs to it, so there is none outside a call. */
export function currentKey(scope: ProcessorScope): string {
  if (scope.key === null) {
    throw userError(
      "state-outside-call",
      "State or a timer was used outside a call for a key.",
      "Use state within handleInputRows, handleExpiredTimer and handleInitialState only.",
    );
  }
  return scope.key;
}

export function scopedTable<Value>(scope: ProcessorScope, table: TableSpec): StateStore<Value> {
  currentKey(scope);
  return scope.pass!.state.table<Value>(table);
}

/** Expiry of a value written now, in µs of processing time. */
export const ttlExpiry = (scope: ProcessorScope, ttlMs: number | null): number | null =>
  ttlMs === null ? null : Math.round((scope.pass!.processingTime + ttlMs) * 1000);
