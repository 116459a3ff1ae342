import { decodeKey, encodeKey, prefixedKey, restOf } from "../../state/key-codec.js";
import type { StateRow, TableSpec } from "../../state/state-store.js";
import { currentKey, type ProcessorScope, scopedTable, ttlExpiry } from "./processor-scope.js";
import type { MapState } from "./stateful-processor.js";
import { copyStored } from "./stored-value.js";

/** One row per entry, found by key and entry key together. */
export function mapState<K, V>(scope: ProcessorScope, table: TableSpec, ttlMs: number | null): MapState<K, V> {
  const rows = (): StateRow<V>[] => [...scopedTable<V>(scope, table).withPrefix(currentKey(scope))];
  const rowKey = (key: K): string => prefixedKey(currentKey(scope), encodeKey([key], ["json"]));
  const entryKey = (row: StateRow<V>): K => decodeKey(restOf(row.key), ["json"])[0] as K;
  const stored = (key: K): V | undefined => scopedTable<V>(scope, table).get(rowKey(key));

  function remove(key: string): void {
    scopedTable<V>(scope, table).remove(key);
    scope.removed++;
  }

  return {
    exists: () => rows().length > 0,
    containsKey: (key) => stored(key) !== undefined,
    getValue(key) {
      const value = stored(key);
      return value === undefined ? null : copyStored(value);
    },
    updateValue(key, value) {
      scopedTable<V>(scope, table).put(rowKey(key), copyStored(value), ttlExpiry(scope, ttlMs));
      scope.updated++;
    },
    removeKey(key) {
      if (stored(key) !== undefined) remove(rowKey(key));
    },
    entries: () => rows().map((row) => [entryKey(row), copyStored(row.value)]),
    keys: () => rows().map(entryKey),
    values: () => rows().map((row) => copyStored(row.value)),
    clear() {
      for (const row of rows()) remove(row.key);
    },
  };
}
