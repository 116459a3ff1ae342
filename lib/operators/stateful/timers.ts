import { userError } from "../../errors.js";
import { prefixedKey, prefixOf } from "../../state/key-codec.js";
import type { StateView, TableSpec } from "../../state/state-store.js";
import { type EventTime, fromMicros, isInstant, type Micros, toMicros } from "../../time/event-time.js";
import { currentKey, type ProcessorScope, scopedTable } from "./processor-scope.js";

interface Timer {
  readonly key: string;
  readonly expiry: Micros;
}

/** Timers of all keys: one row per (key, expiry), due when `expiry <= through`. Not counted as state rows, as in Spark. */
interface Timers {
  register(expiryTimeMs: EventTime): void;
  delete(expiryTimeMs: EventTime): void;
  list(): EventTime[];
  /** Of every key, ascending by expiry; a snapshot, so that timers registered while these fire wait for the next pass. */
  due(state: StateView, through: Micros): Timer[];
  /** Takes a due timer; false if it was deleted since. */
  take(state: StateView, timer: Timer): boolean;
}

const rowKey = (key: string, expiry: Micros): string => prefixedKey(key, String(expiry));

export function timers(scope: ProcessorScope, table: TableSpec): Timers {
  return {
    register(expiryTimeMs) {
      const expiry = expiryOf(expiryTimeMs);
      scopedTable<true>(scope, table).put(rowKey(currentKey(scope), expiry), true, expiry);
    },
    delete(expiryTimeMs) {
      scopedTable<true>(scope, table).remove(rowKey(currentKey(scope), expiryOf(expiryTimeMs)));
    },
    list() {
      const expiries = [...scopedTable<true>(scope, table).withPrefix(currentKey(scope))].map((row) => row.expiry!);
      return expiries.sort((a, b) => a - b).map(fromMicros);
    },
    due: (state, through) =>
      [...state.table<true>(table).expired(through)].map((row) => ({ key: prefixOf(row.key), expiry: row.expiry! })),
    take(state, timer) {
      const store = state.table<true>(table);
      const key = rowKey(timer.key, timer.expiry);
      if (store.get(key) === undefined) return false;
      store.remove(key);
      return true;
    },
  };
}

function expiryOf(expiryTimeMs: EventTime): Micros {
  if (isInstant(expiryTimeMs)) return toMicros(expiryTimeMs);
  throw userError("timer-invalid", `A timer at ${expiryTimeMs} is no time.`, "Register a timer at epoch milliseconds.");
}
