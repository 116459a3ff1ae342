import type { ColumnBatch } from "../columns/column-batch.js";
import type { StateStore, TableSpec } from "../state/state-store.js";
import type { Micros } from "../time/event-time.js";
import { keepRows } from "./batch-rows.js";
import { boundOf, boundsOf, type EventTimeColumn } from "./event-time-column.js";
import type { KeyColumns } from "./key-columns.js";
import { lateGate } from "./late-gate.js";
import { NO_BATCHES, type PassContext, type StatefulOperator } from "./operator.js";
import { noCounts, operatorMetrics } from "./pass-counts.js";
import { relocate } from "./relocate.js";

/**
 * dropDuplicates and dropDuplicatesWithinWatermark (SEMANTICS E): the first row by arrival of a key passes, at once and unchanged.
 */
interface DeduplicateSpec {
  readonly operatorId: string;
  readonly keys: KeyColumns;
  /** Null: the input has no watermark, nothing is late. */
  readonly eventTime: EventTimeColumn | null;
  /** How long a key is kept after the event time of its first row; null: dropDuplicates. */
  readonly withinDelayMs: number | null;
}

export function deduplicate(spec: DeduplicateSpec): StatefulOperator {
  const { operatorId, keys, eventTime, withinDelayMs } = spec;
  const operatorName = withinDelayMs === null ? "dedupe" : "dedupeWithinWatermark";
  const timeInKey = withinDelayMs === null && eventTime !== null && keys.names.includes(eventTime.name);
  const table: TableSpec = { operatorId, table: "keys", locate: timeInKey ? "expiry" : "key" };
  const gate = lateGate(operatorId, eventTime);
  let pass: PassContext;
  let store: StateStore<true>;
  let count = noCounts();
  let duplicates = 0;

  /** A key without its time in it is kept for ever; within the watermark a NULL time counts as the epoch (SEMANTICS E3). */
  const expiryOf = (bound: Micros | null): Micros | null => {
    if (withinDelayMs !== null) return (bound ?? 0) + withinDelayMs * 1000;
    return timeInKey ? bound : null;
  };

  /** The rows that are the first of their key. */
  function firstRowsOf(batch: ColumnBatch): ColumnBatch {
    const boundAt = eventTime === null ? null : boundsOf(eventTime, batch);
    const keyAt = keys.over(batch);
    return keepRows(batch, (row) => {
      const bound = boundAt === null ? null : boundAt(row);
      if (!gate.admit(batch, row, bound)) return false;
      const key = keyAt(row);
      const expiry = expiryOf(bound);
      if (store.get(key, expiry) !== undefined) {
        duplicates++;
        return false;
      }
      store.put(key, true, expiry);
      count.updated++;
      return true;
    });
  }

  return {
    operatorId,
    tables: [table],
    wantsNoDataPass: eventTime !== null,
    outputWatermark: (inputWatermark) => inputWatermark,
    beginPass(context) {
      pass = context;
      store = context.state.table<true>(table);
      if (timeInKey) relocate(store, (key) => boundOf(eventTime, keys.decode(key)));
      count = gate.begin(context);
      duplicates = 0;
    },
    process: firstRowsOf,
    endPass() {
      if (eventTime !== null) count.removed = store.expireThrough(pass.watermarkForEviction * 1000);
      return NO_BATCHES;
    },
    metrics: () => ({
      ...operatorMetrics(operatorName, operatorId, store.size, count),
      numDroppedDuplicateRows: duplicates,
    }),
  };
}
