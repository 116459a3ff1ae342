import type {
  ExpiredTimerInfo,
  GroupFunction,
  ProcessorFactory,
  Row,
  StatefulProcessor,
  StatefulProcessorHandle,
  TimerValues,
  ValueState,
} from "../../lib/index.js";

/** The named handlers of the recordings (golden/README.md), written with what users have. */
export interface HandlerParams {
  readonly gapMs?: number;
  readonly clamp?: boolean;
  readonly setTimeoutOnlyOnFirst?: boolean;
  readonly keepTimers?: boolean;
  readonly timeColumn?: string;
}

interface Session {
  readonly count: number;
  readonly maxMs: number | null;
}

const NO_SESSION: Session = { count: 0, maxMs: null };

function extend(session: Session, rows: readonly Row[], timeColumn: string): Session {
  let { maxMs } = session;
  for (const row of rows) {
    const time = row[timeColumn] as number | null;
    if (time !== null) maxMs = Math.max(maxMs ?? Number.NEGATIVE_INFINITY, Math.floor(time));
  }
  return { count: session.count + rows.length, maxMs };
}

const firstOf = (key: Row): unknown => Object.values(key)[0];

export function timeoutSession(params: HandlerParams): GroupFunction<Row, Row, Row, Session> {
  const { gapMs = 0, clamp = false, setTimeoutOnlyOnFirst = false, timeColumn = "ts" } = params;
  return function* (key, rows, state) {
    const wm = state.getCurrentWatermarkMs() ?? 0;
    if (state.hasTimedOut) {
      yield { key: firstOf(key), kind: "timeout", count: state.get().count, wm };
      state.remove();
      return;
    }
    const existed = state.exists;
    const session = extend(state.getOption() ?? NO_SESSION, rows, timeColumn);
    state.update(session);
    if (session.maxMs !== null && !(setTimeoutOnlyOnFirst && existed)) {
      const timeout = session.maxMs + gapMs;
      state.setTimeoutTimestamp(clamp && timeout <= wm ? wm + 1 : timeout);
    }
    yield { key: firstOf(key), kind: "data", count: session.count, wm };
  };
}

export const countOnly: GroupFunction<Row, Row, Row, { readonly count: number }> = function* (key, rows, state) {
  const count = (state.getOption()?.count ?? 0) + rows.length;
  state.update({ count });
  yield { key: firstOf(key), kind: "data", count, wm: null };
};

class TimerSession implements StatefulProcessor {
  private handle!: StatefulProcessorHandle;
  private session!: ValueState<Session>;

  constructor(private readonly params: HandlerParams) {}

  init(handle: StatefulProcessorHandle): void {
    this.handle = handle;
    this.session = handle.getValueState<Session>("s");
  }

  *handleInputRows(key: Row, rows: readonly Row[], timers: TimerValues): Iterable<Row> {
    const { gapMs = 0, keepTimers = false, timeColumn = "ts" } = this.params;
    const session = extend(this.session.get() ?? NO_SESSION, rows, timeColumn);
    this.session.update(session);
    if (session.maxMs !== null) {
      if (!keepTimers) for (const timer of this.handle.listTimers()) this.handle.deleteTimer(timer);
      this.handle.registerTimer(session.maxMs + gapMs);
    }
    const wm = timers.getCurrentWatermarkInMs() ?? 0;
    yield { key: firstOf(key), kind: "data", count: session.count, expiryMs: null, wm };
  }

  *handleExpiredTimer(key: Row, timers: TimerValues, expired: ExpiredTimerInfo): Iterable<Row> {
    const { count } = this.session.get() ?? NO_SESSION;
    if (!this.params.keepTimers) this.session.clear();
    const wm = timers.getCurrentWatermarkInMs() ?? 0;
    yield { key: firstOf(key), kind: "timer", count, expiryMs: expired.getExpiryTimeInMs(), wm };
  }
}

export const timerSession =
  (params: HandlerParams): ProcessorFactory =>
  () =>
    new TimerSession(params);
