import { NO_ROWS } from "../columns/column-batch.js";
import type { Row, Schema } from "../plan/schema.js";
import type { StateStore, TableSpec } from "../state/state-store.js";
import type { EventTimeColumn } from "./event-time-column.js";
import { inBatches } from "./in-batches.js";
import type { KeyColumns } from "./key-columns.js";
import type { PassContext, StatefulOperator } from "./operator.js";
import { ownRow } from "./own-row.js";
import { operatorMetrics } from "./pass-counts.js";
import { callUser } from "./stateful/call-user.js";
import type { GroupFunction } from "./stateful/group-state.js";
import { type KeyedRows, keyedRows } from "./stateful/keyed-rows.js";
import { openGroupState, type StoredGroup, type TimeoutMode } from "./stateful/open-group-state.js";
import { outputRows } from "./stateful/output-rows.js";
import { timerClock } from "./stateful/timer-clock.js";

/**
 * flatMapGroupsWithState (SEMANTICS J1–J3): user code over one state per key, with a timeout.
 */
export interface GroupsWithStateSpec {
  readonly operatorId: string;
  readonly keys: KeyColumns;
  /** The input's watermarked column; with time mode `eventTime` there always is one. */
  readonly eventTime: EventTimeColumn | null;
  readonly timeMode: TimeoutMode;
  // biome-ignore lint/suspicious/noExplicitAny: the builder has checked the row types; here rows are rows
  readonly handler: GroupFunction<any, any, any, any>;
  /** `eventTime`: the output column that carries event time on. */
  readonly output: { readonly schema: Schema; readonly eventTime: string | null };
}

export function groupsWithState(spec: GroupsWithStateSpec): StatefulOperator {
  const { operatorId, keys, timeMode } = spec;
  const table: TableSpec = {
    operatorId,
    table: "groups",
    locate: "key",
    ...(timeMode === "processingTime" ? { clock: "processingTime" } : {}),
  };
  let pass: PassContext;
  let store: StateStore<StoredGroup>;
  let rows: KeyedRows;

  function call(key: string, keyRows: readonly Row[], hasTimedOut: boolean): Row[] {
    const stored = store.get(key);
    const { handle, left } = openGroupState(stored, pass, timeMode, hasTimedOut);
    const keyRow = keys.decode(key);
    const output = callUser(operatorId, keyRow, () =>
      outputRows(
        { operatorId, ...spec.output },
        spec.handler(keyRow, keyRows.map(ownRow), handle),
        pass.watermarkForEviction,
      ),
    );
    if (left.removed && left.timeout === null) {
      if (stored !== undefined) store.remove(key);
      rows.count.removed++;
    } else if (left.updated || left.removed || left.timeout !== (stored?.timeout ?? null)) {
      const { state, timeout } = left;
      store.put(key, state === undefined ? { timeout } : { state, timeout }, timeout);
      rows.count.updated++;
    }
    return output;
  }

  /** Strictly before the watermark (SEMANTICS J2); keys that had rows in this pass had their call. */
  function timedOut(): string[] {
    if (timeMode === "none") return [];
    const due = [...store.expired(timerClock(timeMode, pass) * 1000 - 1)];
    return due.map((row) => row.key).filter((key) => !rows.groups.has(key));
  }

  function* calls(): Generator<Row, void> {
    for (const [key, keyRows] of rows.groups) yield* call(key, keyRows, false);
    for (const key of timedOut()) yield* call(key, [], true);
  }

  return {
    operatorId,
    tables: [table],
    wantsNoDataPass: timeMode === "eventTime",
    outputWatermark: (inputWatermark) => inputWatermark,
    beginPass(context) {
      pass = context;
      store = context.state.table<StoredGroup>(table);
      rows = keyedRows({ operatorId, keys, lateBy: timeMode === "eventTime" ? spec.eventTime : null }, pass);
    },
    process(batch) {
      rows.add(batch);
      return NO_ROWS;
    },
    endPass: () => inBatches(calls()),
    metrics: () => operatorMetrics("applyInPandasWithState", operatorId, store.size, rows.count),
  };
}
