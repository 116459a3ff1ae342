import { NO_ROWS } from "../columns/column-batch.js";
import { userError } from "../errors.js";
import type { Row, Schema } from "../plan/schema.js";
import type { TableSpec } from "../state/state-store.js";
import { fromMicros, NO_WATERMARK } from "../time/event-time.js";
import type { EventTimeColumn } from "./event-time-column.js";
import { inBatches } from "./in-batches.js";
import type { KeyColumns } from "./key-columns.js";
import type { PassContext, StatefulOperator } from "./operator.js";
import { ownRow } from "./own-row.js";
import { operatorMetrics } from "./pass-counts.js";
import { callUser } from "./stateful/call-user.js";
import { type KeyedRows, keyedRows } from "./stateful/keyed-rows.js";
import { outputRows } from "./stateful/output-rows.js";
import { processorScope } from "./stateful/processor-scope.js";
import { processorVariables } from "./stateful/processor-variables.js";
import type { ProcessorFactory, StatefulProcessorHandle, TimerValues } from "./stateful/stateful-processor.js";
import { timerClock } from "./stateful/timer-clock.js";
import { timers } from "./stateful/timers.js";

/**
 * transformWithState (SEMANTICS J4–J6): user code over named state variables and timers.
 * Time mode `eventTime` without a watermark is accepted: its timers never fire (J5).
 */
export interface TransformWithStateSpec {
  readonly operatorId: string;
  readonly keys: KeyColumns;
  /** The input's watermarked column. */
  readonly eventTime: EventTimeColumn | null;
  readonly timeMode: "none" | "eventTime" | "processingTime";
  /** Called once, here. */
  // biome-ignore lint/suspicious/noExplicitAny: the builder has checked the row types; here rows are rows
  readonly processor: ProcessorFactory<any, any, any, any>;
  /** `eventTime`: the output column that carries event time on. */
  readonly output: { readonly schema: Schema; readonly eventTime: string | null };
}

export function transformWithState(spec: TransformWithStateSpec): StatefulOperator {
  const { operatorId, keys, timeMode } = spec;
  const scope = processorScope();
  const timerTable: TableSpec = { operatorId, table: "timers", locate: "key", prefixed: true, ...clockOf(timeMode) };
  const initialTable: TableSpec = { operatorId, table: "initial", locate: "key" };
  const ownTimers = timers(scope, timerTable);
  const variables = processorVariables(operatorId, scope);
  const processor = spec.processor();
  processor.init({ ...variables.getters, ...timerCalls() });
  variables.close();
  const ttlTables = variables.tables.filter((table) => table.clock === "processingTime");

  let pass: PassContext;
  let rows: KeyedRows;

  function timerCalls(): Pick<StatefulProcessorHandle, "registerTimer" | "deleteTimer" | "listTimers"> {
    if (timeMode !== "none") {
      return { registerTimer: ownTimers.register, deleteTimer: ownTimers.delete, listTimers: ownTimers.list };
    }
    const refuse = () => {
      throw userError(
        "timers-without-time-mode",
        `${operatorId} uses timers, and its time mode is "none".`,
        'Choose the time mode "eventTime" or "processingTime".',
      );
    };
    return { registerTimer: refuse, deleteTimer: refuse, listTimers: refuse };
  }

  const timerValues: TimerValues = {
    getCurrentWatermarkInMs: () => (pass.watermarkForEviction === NO_WATERMARK ? null : pass.watermarkForEviction),
    getCurrentProcessingTimeInMs: () => pass.processingTime,
  };

  /** The result is used up here, while the key is current: user code may be a generator. */
  function callFor(key: string, call: (keyRow: Row) => Iterable<Row>): Row[] {
    const keyRow = keys.decode(key);
    scope.key = key;
    try {
      return callUser(operatorId, keyRow, () =>
        outputRows({ operatorId, ...spec.output }, call(keyRow), pass.watermarkForEviction),
      );
    } finally {
      scope.key = null;
    }
  }

  function takeInitialState(): void {
    if (processor.initialState === undefined) return;
    const taken = pass.state.table<true>(initialTable);
    if (taken.get("") !== undefined) return;
    taken.put("", true, null);
    for (const { key, value } of processor.initialState) {
      callFor(keys.encode(key), (keyRow) => {
        processor.handleInitialState?.(keyRow, value, timerValues);
        return [];
      });
    }
  }

  function* fireTimers(): Generator<Row, void> {
    const clock = timerClock(timeMode, pass);
    for (const timer of ownTimers.due(pass.state, clock * 1000)) {
      if (!ownTimers.take(pass.state, timer)) continue;
      const expired = { getExpiryTimeInMs: () => fromMicros(timer.expiry) };
      const call = (keyRow: Row) => processor.handleExpiredTimer?.(keyRow, timerValues, expired) ?? [];
      yield* callFor(timer.key, call);
    }
  }

  function* calls(): Generator<Row, void> {
    takeInitialState();
    for (const [key, keyRows] of rows.groups) {
      yield* callFor(key, (keyRow) => processor.handleInputRows(keyRow, keyRows.map(ownRow), timerValues));
    }
    if (timeMode !== "none") yield* fireTimers();
  }

  return {
    operatorId,
    variables: variables.described,
    tables: [
      ...variables.tables,
      ...(timeMode === "none" ? [] : [timerTable]),
      ...(processor.initialState === undefined ? [] : [initialTable]),
    ],
    wantsNoDataPass: timeMode === "eventTime",
    outputWatermark: (inputWatermark) => inputWatermark,
    beginPass(context) {
      pass = context;
      Object.assign(scope, { pass, key: null, updated: 0, removed: 0 });
      rows = keyedRows({ operatorId, keys, lateBy: timeMode === "eventTime" ? spec.eventTime : null }, pass);
      // Before the rows: whatever state then holds is alive for the whole pass, as its clock stands still.
      for (const table of ttlTables) {
        scope.removed += pass.state.table(table).expireThrough(pass.processingTime * 1000);
      }
    },
    process(batch) {
      rows.add(batch);
      return NO_ROWS;
    },
    endPass: () => inBatches(calls()),
    metrics() {
      const total = variables.tables.reduce((sum, table) => sum + pass.state.table(table).size, 0);
      const { updated, removed } = scope;
      return operatorMetrics("transformWithStateInPandasExec", operatorId, total, { ...rows.count, updated, removed });
    },
  };
}

const clockOf = (timeMode: TransformWithStateSpec["timeMode"]): Pick<TableSpec, "clock"> =>
  timeMode === "processingTime" ? { clock: "processingTime" } : {};
