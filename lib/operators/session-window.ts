import type { LateRule, OutputMode } from "../plan/logical-plan.js";
import type { Row } from "../plan/schema.js";
import { prefixedKey, prefixOf, restOf } from "../state/key-codec.js";
import type { StateRow, StateStore, TableSpec } from "../state/state-store.js";
import { fromMicros, type Micros, toMicros } from "../time/event-time.js";
import { type MergedSession, mergeSessions, type SessionInterval } from "../time/session-window.js";
import { type EventTimeColumn, eventTimeOf } from "./event-time-column.js";
import type { KeyColumns } from "./key-columns.js";
import { NO_ROWS, type OperatorMetrics, type Origin, type PassContext, type StatefulOperator } from "./operator.js";

/**
 * Aggregation over session windows (SEMANTICS D). State is one row per session, keyed by key and session start.
 *
 * The planner makes one per AggregateNode whose window is a SessionSpec: `column` is the column that the session reads, `watermarked`
 * whether it carries the input's watermark (else nothing is late and nothing is evicted), `gap` the compiled gap in µs, `as` the
 * output column of the session, `outputMode` append or complete (update is refused by the plan).
 */
export interface SessionWindowSpec {
  readonly operatorId: string;
  readonly keys: KeyColumns;
  readonly column: EventTimeColumn;
  readonly watermarked: boolean;
  /** Null, zero, negative or NaN: the row is ignored (SEMANTICS D2). */
  readonly gap: (row: Row) => Micros | null;
  readonly as: string;
  readonly aggregates: SessionAggregates;
  readonly outputMode: OutputMode;
  readonly lateRule: LateRule;
}

/** The aggregates of one group. Accumulators are one array of values that the row codec takes, changed in place. */
export interface SessionAggregates {
  create(): unknown[];
  add(accumulators: unknown[], row: Row): void;
  /** `from` follows in order of session start, and must not be changed. */
  merge(accumulators: unknown[], from: readonly unknown[]): void;
  copy(accumulators: readonly unknown[]): unknown[];
  /** Sets the result columns. */
  finish(accumulators: readonly unknown[], row: Row): void;
}

interface StoredSession {
  readonly end: Micros;
  readonly accumulators: readonly unknown[];
}

interface Member extends SessionInterval {
  readonly row?: Row;
  readonly stored?: StoredSession;
}

export function sessionWindow(spec: SessionWindowSpec): StatefulOperator {
  const { operatorId, keys, aggregates } = spec;
  const table: TableSpec = { operatorId, table: "sessions", locate: "key", prefixed: true };
  let pass: PassContext;
  let store: StateStore<StoredSession>;
  /** Rows wait for the end of the pass: within a session they are folded in order of time, not of arrival (SEMANTICS D7). */
  let pending = new Map<string, Member[]>();
  let lateSessions = new Set<string>();
  let count = noCounts();

  function accept(row: Row, origin: Origin | null): void {
    count.rowsIn++;
    const time = eventTimeOf(spec.column, row);
    const gap = time === null ? 0 : Math.trunc(spec.gap(row) ?? 0);
    if (time === null || !(gap > 0)) {
      count.withoutTime++;
      pass.withoutTime({ operatorId, row, origin, reason: time === null ? "no-event-time" : "session-gap" });
      return;
    }
    const start = toMicros(time);
    const session = { start, end: start + gap, row };
    const key = keys.encode(row);
    if (isLate(session)) {
      count.late++;
      // Spark counts the distinct sessions that were missed, we report each row (SEMANTICS D4, 0.3).
      lateSessions.add(prefixedKey(key, `${session.start},${session.end}`));
      const watermark = pass.watermarkForLateEvents;
      pass.late({ operatorId, row, origin, eventTime: time, watermark, missed: [windowOf(session)] });
      return;
    }
    count.accepted++;
    const members = pending.get(key);
    if (members === undefined) pending.set(key, [session]);
    else members.push(session);
  }

  /** By the row's own session, before any merging (SEMANTICS D3, 0.2). In complete mode too (D5). */
  function isLate({ start, end }: SessionInterval): boolean {
    const watermark = pass.watermarkForLateEvents * 1000;
    return spec.watermarked && (end <= watermark || (spec.lateRule === "event-time" && start < watermark));
  }

  function mergeKey(key: string, rows: readonly Member[]): void {
    const stored = [...store.withPrefix(key)].map(memberOf);
    const sessions = mergeSessions([...stored, ...rows]);
    // All sessions of a touched key count as updated, as Spark rewrites them; only those that changed are written.
    count.updated += sessions.length;
    const starts = new Set(sessions.map((session) => session.start));
    for (const { start } of stored) {
      if (starts.has(start)) continue;
      store.remove(sessionKey(key, start));
      count.removed++;
    }
    for (const session of sessions) {
      if (session.members.length === 1 && session.members[0]!.stored !== undefined) continue;
      store.put(sessionKey(key, session.start), { end: session.end, accumulators: fold(session) }, session.end);
    }
  }

  function fold({ members }: MergedSession<Member>): unknown[] {
    const first = members[0]!.stored;
    const accumulators = first === undefined ? aggregates.create() : aggregates.copy(first.accumulators);
    for (const member of members) {
      if (member.row !== undefined) aggregates.add(accumulators, member.row);
      else if (member.stored !== first) aggregates.merge(accumulators, member.stored!.accumulators);
    }
    return accumulators;
  }

  function resultOf(stored: StateRow<StoredSession>): Row {
    const row: Row = { [spec.as]: windowOf(memberOf(stored)), ...keys.decode(prefixOf(stored.key)) };
    aggregates.finish(stored.value.accumulators, row);
    return row;
  }

  function emit(): Row[] {
    if (spec.outputMode === "complete") return [...store.rows()].map(resultOf);
    if (!spec.watermarked) return [];
    const through = pass.watermarkForEviction * 1000;
    const closed = [...store.expired(through)].map(resultOf);
    count.removed += store.expireThrough(through);
    return closed;
  }

  return {
    operatorId,
    tables: [table],
    wantsNoDataPass: spec.outputMode !== "complete",
    outputWatermark: (inputWatermark) => inputWatermark,
    beginPass(context) {
      pass = context;
      store = context.state.table<StoredSession>(table);
      pending = new Map();
      lateSessions = new Set();
      count = noCounts();
    },
    process(chunk) {
      for (let i = 0; i < chunk.rows.length; i++) accept(chunk.rows[i]!, chunk.origin?.[i] ?? null);
      return NO_ROWS;
    },
    endPass() {
      for (const [key, rows] of pending) mergeKey(key, rows);
      return { rows: emit(), origin: null };
    },
    metrics: (): OperatorMetrics => ({
      operatorName: "sessionWindowStateStoreSaveExec",
      operatorId,
      numRowsTotal: store.size,
      numRowsUpdated: count.updated,
      numRowsRemoved: count.removed,
      numRowsDroppedByWatermark: lateSessions.size,
      rowsIn: count.rowsIn,
      accepted: count.accepted,
      numLateInputRows: count.late,
      withoutTime: count.withoutTime,
      partlyLate: 0,
    }),
  };
}

const sessionKey = (key: string, start: Micros): string => prefixedKey(key, String(start));

const memberOf = ({ key, value }: StateRow<StoredSession>): Member => ({
  start: Number(restOf(key)),
  end: value.end,
  stored: value,
});

const windowOf = ({ start, end }: SessionInterval) => ({ start: fromMicros(start), end: fromMicros(end) });

const noCounts = () => ({ rowsIn: 0, accepted: 0, late: 0, withoutTime: 0, updated: 0, removed: 0 });
