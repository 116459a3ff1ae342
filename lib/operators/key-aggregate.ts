import { type ColumnBatch, NO_ROWS } from "../columns/column-batch.js";
import type { OutputMode } from "../plan/logical-plan.js";
import type { StateRow, StateStore, TableSpec } from "../state/state-store.js";
import type { Micros } from "../time/event-time.js";
import type { Accumulator, Aggregator } from "./aggregates/aggregator.js";
import { emitGroups, emitter } from "./emit.js";
import { boundOf, boundsOf, type EventTimeColumn } from "./event-time-column.js";
import type { KeyColumns } from "./key-columns.js";
import { lateGate } from "./late-gate.js";
import type { PassContext, StatefulOperator } from "./operator.js";
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
  const gate = lateGate(operatorId, eventTime);
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
  function add(batch: ColumnBatch): void {
    const keyAt = keys.over(batch);
    const boundAt = eventTime === null ? null : boundsOf(eventTime, batch);
    const update = aggregates.over(batch);
    for (const row of batch.selection) {
      const key = keyAt(row);
      const bound = boundAt === null ? null : boundAt(row);
      if (gate.admit(batch, row, bound)) update(touched.get(key)?.value ?? openGroup(key, bound), row);
      else lateGroups.add(key);
    }
  }

  const resultOf = (group: StateRow<Accumulator>) => aggregates.finish(group.value, keys.decode(group.key));

  return {
    ...emitter(operatorId, table, outputMode),
    beginPass(context) {
      pass = context;
      store = context.state.table<Accumulator>(table);
      relocate(store, expiryOfKey);
      touched = new Map();
      lateGroups = new Set();
      count = gate.begin(context);
    },
    process(batch) {
      add(batch);
      return NO_ROWS;
    },
    *endPass() {
      for (const { value } of touched.values()) aggregates.seal(value);
      const evictThrough = eventTime === null ? null : pass.watermarkForEviction * 1000;
      const removed = yield* emitGroups(outputMode, { store, touched: touched.values(), evictThrough }, resultOf);
      count.updated = touched.size;
      count.removed = removed;
    },
    metrics: () => operatorMetrics("stateStoreSave", operatorId, store.size, count, lateGroups.size),
  };
}
