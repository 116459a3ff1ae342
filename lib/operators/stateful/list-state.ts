import { prefixedKey, restOf } from "../../state/key-codec.js";
import type { StateRow, TableSpec } from "../../state/state-store.js";
import { currentKey, type ProcessorScope, scopedTable, ttlExpiry } from "./processor-scope.js";
import type { ListState } from "./stateful-processor.js";
import { copyStored } from "./stored-value.js";

/** One row per element, so that appending writes one element; finding the end costs a walk over the key's elements in memory. */
export function listState<T>(scope: ProcessorScope, table: TableSpec, ttlMs: number | null): ListState<T> {
  const rows = (): StateRow<T>[] => [...scopedTable<T>(scope, table).withPrefix(currentKey(scope))];

  function append(values: Iterable<T>, after: number): void {
    const store = scopedTable<T>(scope, table);
    let index = after;
    for (const value of values) {
      index++;
      store.put(prefixedKey(currentKey(scope), String(index)), copyStored(value), ttlExpiry(scope, ttlMs));
      scope.updated++;
    }
  }

  function clear(): void {
    const store = scopedTable<T>(scope, table);
    for (const row of rows()) {
      store.remove(row.key);
      scope.removed++;
    }
  }

  const lastIndex = (): number => {
    const last = rows().at(-1);
    return last === undefined ? -1 : Number(restOf(last.key));
  };

  return {
    exists: () => rows().length > 0,
    get: () => rows().map((row) => copyStored(row.value)),
    put(values) {
      const next = [...values];
      const after = lastIndex();
      clear();
      append(next, after);
    },
    appendValue: (value) => append([value], lastIndex()),
    appendList: (values) => append([...values], lastIndex()),
    clear,
  };
}
