import type { TableSpec } from "../../state/state-store.js";
import { currentKey, openTable, type ProcessorScope, ttlExpiry } from "./processor-scope.js";
import type { ValueState } from "./stateful-processor.js";
import { copyStored } from "./stored-value.js";

/** One row per key. */
export function valueState<T>(scope: ProcessorScope, table: TableSpec, ttlMs: number | null): ValueState<T> {
  const stored = (): T | undefined => openTable<T>(scope, table).get(currentKey(scope));
  return {
    exists: () => stored() !== undefined,
    get() {
      const value = stored();
      return value === undefined ? null : copyStored(value);
    },
    update(value) {
      openTable<T>(scope, table).put(currentKey(scope), copyStored(value), ttlExpiry(scope, ttlMs));
      scope.updated++;
    },
    clear() {
      if (stored() === undefined) return;
      openTable<T>(scope, table).remove(currentKey(scope));
      scope.removed++;
    },
  };
}
