import { type ColumnBatch, NO_ROWS } from "../columns/column-batch.js";
import type { LateRule, OutputMode } from "../plan/logical-plan.js";
import type { Row } from "../plan/schema.js";
import { prefixedKey, prefixOf, restOf } from "../state/key-codec.js";
import type { StateRow, StateStore, TableSpec } from "../state/state-store.js";
import { fromMicros, type Micros, toMicros } from "../time/event-time.js";
import { type MergedSession, mergeSessions, type SessionInterval } from "../time/merge-sessions.js";
import type { Accumulator, Aggregator } from "./aggregates/aggregator.js";
import { emitGroups, emitter } from "./emit.js";
import type { Reader } from "./evaluate/reader.js";
import { type EventTimeColumn, eventTimesOf } from "./event-time-column.js";
import type { KeyColumns } from "./key-columns.js";
import { lateGate } from "./late-gate.js";
import type { PassContext, StatefulOperator } from "./operator.js";
import { noCounts, operatorMetrics } from "./pass-counts.js";

/**
 * Aggregation over session windows (SEMANTICS D). State is one row per session, keyed by key and session start.
 */
export interface SessionAggregateSpec {
  readonly operatorId: string;
  readonly keys: KeyColumns;
  readonly column: EventTimeColumn;
  /** Whether the column carries the input's watermark; else nothing is late and nothing is evicted. */
  readonly watermarked: boolean;
  /** In µs. Null, zero, negative or NaN: the row is ignored (SEMANTICS D2). */
  readonly gap: Reader;
  /** Output column of the session. */
  readonly as: string;
  readonly aggregates: Aggregator;
  /** Update is refused by the plan. */
  readonly outputMode: OutputMode;
  readonly lateRule: LateRule;
}

interface StoredSession {
  readonly end: Micros;
  /** Sealed. */
  readonly accumulator: Accumulator;
}

interface Member extends SessionInterval {
  /** Of a row: adds it. */
  readonly addTo?: (accumulator: Accumulator) => void;
  readonly stored?: StoredSession;
}

export function sessionAggregate(spec: SessionAggregateSpec): StatefulOperator {
  const { operatorId, keys, aggregates, outputMode } = spec;
  const evicts = spec.watermarked && outputMode !== "complete";
  const table: TableSpec = { operatorId, table: "sessions", locate: "key", prefixed: true };
  const gate = lateGate(operatorId, spec.column);
  let pass: PassContext;
  let store: StateStore<StoredSession>;
  /** Rows wait for the end of the pass: within a session they are folded in order of time, not of arrival (SEMANTICS D7). */
  let pending = new Map<string, Member[]>();
  let touched: StateRow<StoredSession>[] = [];
  let lateSessions = new Set<string>();
  let count = noCounts();

  function add(batch: ColumnBatch): void {
    const timeAt = eventTimesOf(spec.column, batch);
    const gapAt = spec.gap(batch);
    const keyAt = keys.over(batch);
    const update = aggregates.over(batch);
    for (const at of batch.selection) {
      count.rowsIn++;
      const time = timeAt(at);
      const gap = time === null ? 0 : Math.trunc((gapAt(at) as Micros | null) ?? 0);
      if (time === null || !(gap > 0)) {
        gate.reject(batch, at, time === null ? "no-event-time" : "session-gap");
        continue;
      }
      const start = toMicros(time);
      const session = { start, end: start + gap, addTo: (accumulator: Accumulator) => update(accumulator, at) };
      const key = keyAt(at);
      if (isLate(session)) {
        count.late++;
        // Spark counts the distinct sessions that were missed, we report each row (SEMANTICS D4, 0.3).
        lateSessions.add(prefixedKey(key, `${session.start},${session.end}`));
        gate.report(batch, at, { eventTime: time, missed: [windowOf(session)] });
        continue;
      }
      count.accepted++;
      const members = pending.get(key);
      if (members === undefined) pending.set(key, [session]);
      else members.push(session);
    }
  }

  /** By the row's own session, before any merging (SEMANTICS D3, 0.2). In complete mode too (D5). */
  function isLate({ start, end }: SessionInterval): boolean {
    const lateThrough = pass.watermarkForLateEvents * 1000;
    return spec.watermarked && (end <= lateThrough || (spec.lateRule === "event-time" && start < lateThrough));
  }

  function mergeKey(key: string, rows: readonly Member[]): void {
    const stored = [...store.withPrefix(key)].map(memberOf);
    const sessions = mergeSessions([...stored, ...rows]);
    // All sessions of a touched key count as updated, as Spark rewrites them; only those that changed are written.
    const starts = new Set(sessions.map((session) => session.start));
    for (const { start } of stored) {
      if (starts.has(start)) continue;
      store.remove(sessionKey(key, start));
      count.removed++;
    }
    for (const session of sessions) {
      const { start, end, members } = session;
      const rest = members.length === 1 ? members[0]!.stored : undefined;
      const value = rest ?? { end, accumulator: fold(session) };
      const expiry = evicts ? end : null;
      if (rest === undefined) store.put(sessionKey(key, start), value, expiry);
      touched.push({ key: sessionKey(key, start), value, expiry });
    }
  }

  function fold({ members }: MergedSession<Member>): Accumulator {
    const first = members[0]!.stored;
    const accumulator = first === undefined ? aggregates.create() : aggregates.open(first.accumulator);
    for (const { addTo, stored } of members) {
      if (addTo !== undefined) addTo(accumulator);
      // A merge may take over parts of what it merges, so it gets a copy of what is stored.
      else if (stored !== first) aggregates.merge(accumulator, aggregates.open(stored!.accumulator));
    }
    aggregates.seal(accumulator);
    return accumulator;
  }

  function resultOf(session: StateRow<StoredSession>): Row {
    const group = { [spec.as]: windowOf(memberOf(session)), ...keys.decode(prefixOf(session.key)) };
    return aggregates.finish(session.value.accumulator, group);
  }

  return {
    ...emitter(operatorId, table, outputMode),
    beginPass(context) {
      pass = context;
      store = context.state.table<StoredSession>(table);
      pending = new Map();
      touched = [];
      lateSessions = new Set();
      count = gate.begin(context);
    },
    process(batch) {
      add(batch);
      return NO_ROWS;
    },
    *endPass() {
      for (const [key, rows] of pending) mergeKey(key, rows);
      const evictThrough = evicts ? pass.watermarkForEviction * 1000 : null;
      const removed = yield* emitGroups(outputMode, { store, touched, evictThrough }, resultOf);
      count.updated = touched.length;
      count.removed += removed;
    },
    metrics: () => operatorMetrics("sessionWindowStateStoreSaveExec", operatorId, store.size, count, lateSessions.size),
  };
}

const sessionKey = (key: string, start: Micros): string => prefixedKey(key, String(start));

const memberOf = ({ key, value }: StateRow<StoredSession>): Member => ({
  start: Number(restOf(key)),
  end: value.end,
  stored: value,
});

const windowOf = ({ start, end }: SessionInterval) => ({ start: fromMicros(start), end: fromMicros(end) });
