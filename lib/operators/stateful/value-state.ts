import type { TableSpec } from "../../state/state-store.js";
import { currentKey, type ProcessorScope, scopedTable, ttlExpiry } from "./processor-scope.js";
import type { ValueState } from "./stateful-processor.js";
import { copyStored } from "./stored-value.js";

/** One row per key. */
export function valueState<T>(scope: ProcessorScope, table: TableSpec, ttlMs: number | null): ValueState<T> {
  const stored = (): T | undefined => scopedTable<T>(scope, table).get(currentKey(scope));
  return {
    exists: () => stored() !== undefined,
    get() {
      const value = stored();
      return value === undefined ? null : copyStored(value);
    },
    update(value) {
      scopedTable<T>(scope, table).put(currentKey(scope), copyStored(value), ttlExpiry(scope, ttlMs));
      scope.updated++;
    },
    clear() {
      if (stored() === undefined) return;
      scopedTable<T>(scope, table).remove(currentKey(scope));
      scope.removed++;
    },
  };
}
