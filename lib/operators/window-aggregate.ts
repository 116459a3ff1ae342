import { type ColumnBatch, NO_ROWS } from "../columns/column-batch.js";
import type { LateRule, OutputMode } from "../plan/logical-plan.js";
import type { StateRow, StateStore, TableSpec } from "../state/state-store.js";
import type { CalendarGrid } from "../time/calendar-window.js";
import { fromMicros, type Micros, toMicros } from "../time/event-time.js";
import { forEachWindowStart, type Window } from "../time/window.js";
import type { Accumulator, Aggregator } from "./aggregates/aggregator.js";
import { emitGroups, emitter } from "./emit.js";
import { type EventTimeColumn, eventTimesOf } from "./event-time-column.js";
import { windowEnd, windowGroupRow, windowPrefix } from "./group-key.js";
import type { KeyColumns } from "./key-columns.js";
import { lateGate } from "./late-gate.js";
import type { PassContext, StatefulOperator } from "./operator.js";
import { noCounts, operatorMetrics } from "./pass-counts.js";
import { relocate } from "./relocate.js";

/** Aggregation over tumbling or sliding windows and any further keys (SEMANTICS C). One state row per window and key. */
export interface WindowAggregateSpec {
  readonly operatorId: string;
  readonly column: EventTimeColumn;
  /** Whether the column carries the input's watermark; else nothing is late and nothing is evicted. */
  readonly watermarked: boolean;
  readonly size: Micros;
  readonly slide: Micros;
  readonly offset: Micros;
  /** Windows of days in a time zone, in place of the three above. */
  readonly calendar?: CalendarGrid;
  readonly as: string;
  readonly keys: KeyColumns;
  readonly aggregates: Aggregator;
  readonly outputMode: OutputMode;
  readonly lateRule: LateRule;
}

/** The groups of one window that this pass has touched, by encoded key; their accumulators are open. */
interface OpenWindow {
  readonly start: Micros;
  readonly prefix: string;
  readonly expiry: Micros | null;
  readonly groups: Map<string, Accumulator>;
}

export function windowAggregate(spec: WindowAggregateSpec): StatefulOperator {
  const { operatorId, column, size, slide, offset, calendar, keys, aggregates, outputMode, lateRule } = spec;
  const evicts = spec.watermarked && outputMode !== "complete";
  const keyless = keys.names.length === 0;
  const table: TableSpec = { operatorId, table: "groups", locate: "expiry" };
  const gate = lateGate(operatorId, column);
  let pass: PassContext;
  let store: StateStore<Accumulator>;
  let windows = new Map<Micros, OpenWindow>();
  let newest: OpenWindow | null = null;
  let touched: StateRow<Accumulator>[] = [];
  let lateGroups = new Set<string>();
  let lateThrough = Number.NEGATIVE_INFINITY;
  let count = noCounts();

  const tumbles = calendar === undefined && slide === size;
  const sizeFrom = (start: Micros): Micros => calendar?.sizeFrom(start) ?? size;

  function forEachStart(time: Micros, visit: (start: Micros) => void): void {
    if (calendar !== undefined) visit(calendar.startOf(time));
    else forEachWindowStart(time, size, slide, offset, visit);
  }

  function windowAt(start: Micros): OpenWindow {
    if (newest !== null && newest.start === start) return newest;
    let window = windows.get(start);
    if (window === undefined) {
      const lasts = sizeFrom(start);
      const expiry = evicts ? start + lasts : null;
      window = { start, prefix: windowPrefix(start, lasts), expiry, groups: new Map() };
      windows.set(start, window);
    }
    newest = window;
    return window;
  }

  /** The open accumulator of a group: of this pass, else a copy of what is stored, else a new one; from here on it is in state. */
  function openGroup(window: OpenWindow, key: string): Accumulator {
    const stateKey = window.prefix + key;
    const stored = store.get(stateKey, window.expiry);
    const value = stored === undefined ? aggregates.create() : aggregates.open(stored);
    store.put(stateKey, value, window.expiry);
    window.groups.set(key, value);
    touched.push({ key: stateKey, value, expiry: window.expiry });
    return value;
  }

  function addAll(batch: ColumnBatch): void {
    const timeAt = eventTimesOf(column, batch);
    const keyAt = keyless ? () => "" : keys.over(batch);
    const update = aggregates.over(batch);

    const add = (row: number, key: string, start: Micros): void => {
      const window = windowAt(start);
      update(window.groups.get(key) ?? openGroup(window, key), row);
    };

    const { selection } = batch;
    for (let k = 0; k < selection.length; k++) {
      const row = selection[k]!;
      count.rowsIn++;
      const time = timeAt(row);
      if (time === null) {
        gate.reject(batch, row, "no-event-time");
        continue;
      }
      const micros = toMicros(time);
      const key = keyAt(row);
      // Every window ends after the row's time, so none is late while the row itself is not.
      if (evicts && micros <= lateThrough) {
        addBehind(batch, row, key, micros, add);
        continue;
      }
      count.accepted++;
      if (tumbles) add(row, key, Math.floor((micros - offset) / size) * size + offset);
      else forEachStart(micros, (start) => add(row, key, start));
    }
  }

  /** A row behind the watermark: some of its windows may still be open (SEMANTICS C2, 0.2, 0.3). */
  function addBehind(
    batch: ColumnBatch,
    row: number,
    key: string,
    micros: Micros,
    add: (row: number, key: string, start: Micros) => void,
  ): void {
    const missed: Window[] = [];
    let open = 0;
    const allMissed = lateRule === "event-time" && micros < lateThrough;
    forEachStart(micros, (start) => {
      const lasts = sizeFrom(start);
      if (!allMissed && start + lasts > lateThrough) {
        open++;
        add(row, key, start);
        return;
      }
      lateGroups.add(windowPrefix(start, lasts) + key);
      missed.unshift({ start: fromMicros(start), end: fromMicros(start + lasts) });
    });
    if (open > 0) count.accepted++;
    else count.late++;
    if (missed.length === 0) return;
    if (open > 0) count.partlyLate++;
    gate.report(batch, row, { eventTime: fromMicros(micros), missed, ...(open > 0 ? { partial: true } : {}) });
  }

  const resultOf = (group: StateRow<Accumulator>) =>
    aggregates.finish(group.value, windowGroupRow(group.key, spec.as, keys));

  return {
    ...emitter(operatorId, table, outputMode),
    beginPass(context) {
      pass = context;
      store = context.state.table<Accumulator>(table);
      relocate(store, evicts ? windowEnd : null);
      windows = new Map();
      newest = null;
      touched = [];
      lateGroups = new Set();
      lateThrough = context.watermarkForLateEvents * 1000;
      count = gate.begin(context);
    },
    process(batch) {
      addAll(batch);
      return NO_ROWS;
    },
    *endPass() {
      for (const { value } of touched) aggregates.seal(value);
      const evictThrough = evicts ? pass.watermarkForEviction * 1000 : null;
      const removed = yield* emitGroups(outputMode, { store, touched, evictThrough }, resultOf);
      count.updated = touched.length;
      count.removed = removed;
    },
    metrics: () => operatorMetrics("stateStoreSave", operatorId, store.size, count, lateGroups.size),
  };
}
