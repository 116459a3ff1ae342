import type { OutputMode } from "../plan/logical-plan.js";
import type { Row } from "../plan/schema.js";
import type { StateRow, StateStore, TableSpec } from "../state/state-store.js";
import type { Micros } from "../time/event-time.js";
import type { Accumulator, Aggregator } from "./aggregates/aggregator.js";
import { emitGroups } from "./emit.js";
import { boundOf, type EventTimeColumn, isLate, lateRowOf } from "./event-time-column.js";
import type { KeyColumns } from "./key-columns.js";
import { NO_ROWS, type Origin, type PassContext, type StatefulOperator } from "./operator.js";
import { noCounts, operatorMetrics } from "./pass-counts.js";
import { relocate } from "./relocate.js";

/** Aggregation by plain keys, one of which may carry the event time: a raw timestamp or the window of an aggregation upstream. */
export interface KeyAggregateSpec {
  readonly operatorId: string;
  readonly keys: KeyColumns;
  /** The key column that carries the input's watermark; null: groups are never late and never evicted. */
  readonly eventTime: EventTimeColumn | null;
  /** What that column is called among the keys, where it has another name there. */
  readonly eventTimeKey?: string | undefined;
  readonly aggregates: Aggregator;
  readonly outputMode: OutputMode;
}

export function keyAggregate(spec: KeyAggregateSpec): StatefulOperator {
  const { operatorId, keys, aggregates, outputMode } = spec;
  const eventTime = outputMode === "complete" ? null : spec.eventTime;
  const keyTime = eventTime === null ? null : { ...eventTime, name: spec.eventTimeKey ?? eventTime.name };
  const expiryOfKey = keyTime === null ? null : (key: string) => boundOf(keyTime, keys.decode(key));
  const table: TableSpec = { operatorId, table: "groups", locate: "expiry" };
  let pass: PassContext;
  let store: StateStore<Accumulator>;
  /** By encoded key; open until the pass ends. */
  let touched = new Map<string, StateRow<Accumulator>>();
  let lateGroups = new Set<string>();
  let count = noCounts();

  function openGroup(key: string, expiry: Micros | null): Accumulator {
    const stored = store.get(key, expiry);
    const value = stored === undefined ? aggregates.create() : aggregates.open(stored);
    store.put(key, value, expiry);
    touched.set(key, { key, value, expiry });
    return value;
  }

  /** A NULL time is an ordinary group that is never late and never evicted (SEMANTICS C6). */
  function accept(row: Row, origin: Origin | null): void {
    count.rowsIn++;
    const key = keys.encode(row);
    const bound = eventTime === null ? null : boundOf(eventTime, row);
    if (eventTime !== null && isLate(bound, pass.watermarkForLateEvents)) {
      count.late++;
      lateGroups.add(key);
      pass.late(lateRowOf(operatorId, eventTime, row, origin, pass.watermarkForLateEvents));
      return;
    }
    count.accepted++;
    aggregates.update(touched.get(key)?.value ?? openGroup(key, bound), row);
  }

  function resultOf(group: StateRow<Accumulator>): Row {
    const row = keys.decode(group.key);
    aggregates.finish(group.value, row);
    return row;
  }

  return {
    operatorId,
    tables: [table],
    wantsNoDataPass: outputMode !== "complete",
    outputWatermark: (inputWatermark) => inputWatermark,
    beginPass(context) {
      pass = context;
      store = context.state.table<Accumulator>(table);
      relocate(store, expiryOfKey);
      touched = new Map();
      lateGroups = new Set();
      count = noCounts();
    },
    process(chunk) {
      const { rows, origin } = chunk;
      for (let i = 0; i < rows.length; i++) accept(rows[i]!, origin === null ? null : origin[i]!);
      return NO_ROWS;
    },
    endPass() {
      for (const { value } of touched.values()) aggregates.seal(value);
      const evictThrough = eventTime === null ? null : pass.watermarkForEviction * 1000;
      const { rows, removed } = emitGroups(outputMode, { store, touched: touched.values(), evictThrough }, resultOf);
      count.updated = touched.size;
      count.removed = removed;
      return { rows, origin: null };
    },
    metrics: () => operatorMetrics("stateStoreSave", operatorId, store.size, count, lateGroups.size),
  };
}
