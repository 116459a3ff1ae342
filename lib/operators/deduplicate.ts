import type { Row } from "../plan/schema.js";
import type { StateStore, TableSpec } from "../state/state-store.js";
import type { Micros } from "../time/event-time.js";
import { boundOf, type EventTimeColumn, isLate, lateRowOf } from "./event-time-column.js";
import type { KeyColumns } from "./key-columns.js";
import { type Chunk, NO_ROWS, type Origin, type PassContext, type StatefulOperator } from "./operator.js";
import { noCounts, operatorMetrics } from "./pass-counts.js";
import { relocate } from "./relocate.js";

/**
 * dropDuplicates and dropDuplicatesWithinWatermark (SEMANTICS E): the first row by arrival of a key passes, at once and unchanged.
 *
 * The planner makes one per DeduplicateNode: `keys` from the node's key columns (all columns where it names none),
 * `eventTime` the input's watermarked column or null, `withinDelayMs` the delay of the first watermark below the node
 * for dropDuplicatesWithinWatermark (which is refused without one), null for dropDuplicates.
 */
interface DeduplicateSpec {
  readonly operatorId: string;
  readonly keys: KeyColumns;
  readonly eventTime: EventTimeColumn | null;
  readonly withinDelayMs: number | null;
}

export function deduplicate(spec: DeduplicateSpec): StatefulOperator {
  const { operatorId, keys, eventTime, withinDelayMs } = spec;
  const operatorName = withinDelayMs === null ? "dedupe" : "dedupeWithinWatermark";
  const timeInKey = withinDelayMs === null && eventTime !== null && keys.names.includes(eventTime.name);
  const table: TableSpec = { operatorId, table: "keys", locate: timeInKey ? "expiry" : "key" };
  let pass: PassContext;
  let store: StateStore<true>;
  let count = noCounts();
  let duplicates = 0;

  /** A key without its time in it is kept for ever; within the watermark a NULL time counts as the epoch (SEMANTICS E3). */
  const expiryOf = (bound: Micros | null): Micros | null => {
    if (withinDelayMs !== null) return (bound ?? 0) + withinDelayMs * 1000;
    return timeInKey ? bound : null;
  };

  /** Whether the row is the first of its key. */
  function accept(row: Row, origin: Origin | null): boolean {
    count.rowsIn++;
    const bound = eventTime === null ? null : boundOf(eventTime, row);
    if (eventTime !== null && isLate(bound, pass.watermarkForLateEvents)) {
      count.late++;
      pass.late(lateRowOf(operatorId, eventTime, row, origin, pass.watermarkForLateEvents));
      return false;
    }
    count.accepted++;
    const key = keys.encode(row);
    const expiry = expiryOf(bound);
    if (store.get(key, expiry) !== undefined) {
      duplicates++;
      return false;
    }
    store.put(key, true, expiry);
    count.updated++;
    return true;
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
      count = noCounts();
      duplicates = 0;
    },
    process(chunk): Chunk {
      const rows: Row[] = [];
      const origin: Origin[] | null = chunk.origin === null ? null : [];
      for (let i = 0; i < chunk.rows.length; i++) {
        const from = chunk.origin?.[i] ?? null;
        if (!accept(chunk.rows[i]!, from)) continue;
        rows.push(chunk.rows[i]!);
        if (from !== null) origin?.push(from);
      }
      return { rows, origin };
    },
    endPass() {
      if (eventTime !== null) count.removed = store.expireThrough(pass.watermarkForEviction * 1000);
      return NO_ROWS;
    },
    metrics: () => ({
      ...operatorMetrics(operatorName, operatorId, store.size, count),
      numDroppedDuplicateRows: duplicates,
    }),
  };
}
