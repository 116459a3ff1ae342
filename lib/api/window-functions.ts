import { requireKnown } from "../plan/known-options.js";
import type { SessionSpec, WindowSpec } from "../plan/logical-plan.js";
import { makeSession, makeWindow } from "../plan/nodes/nodes.js";
import { parseSessionGap } from "../time/duration.js";
import { type ExprOver, toExpression } from "./expr.js";
import { functionId } from "./function-ids.js";

/** A window to group by. */
export interface WindowKey<Column extends string = string, As extends string = string, Names extends string = string> {
  readonly spec: WindowSpec | SessionSpec;
  readonly functions: Readonly<Record<string, unknown>>;
  /** Only for the compiler: never set. */
  readonly column?: Column;
  readonly as?: As;
  readonly names?: Names;
}

/** Options of `window`. Intervals as in withWatermark: "5 minutes", "1h", "PT10M". */
export interface WindowOptions<As extends string> {
  /** How far apart windows begin; less than the size makes them overlap. */
  readonly slide?: string;
  /** Shifts the grid, which stands on the epoch (1970-01-01T00:00:00Z; weeks begin on Thursday). */
  readonly offset?: string;
  /**
   * Then the size is days, weeks (from Monday), months or years, and windows begin at midnight there, whatever the clock does:
   * a day has 23 hours when it is put forward, 25 when it is put back.
   */
  readonly timeZone?: string;
  /** Name of the window column in the result, `window` by default. */
  readonly as?: As;
}

/**
 * Windows of a fixed size: half-open, `start <= t < end`, in UTC unless a time zone is given. In append mode one is emitted when the watermark reaches its end.
 * The column may also be the window of an aggregation upstream: its time is its end less a microsecond (SEMANTICS C1, H4).
 *
 * @example groupBy(window("eventTime", "5 minutes"), "page")
 * @example groupBy(window("eventTime", "1 hour", { slide: "5 minutes" }))
 * @example groupBy(window("eventTime", "1 day", { timeZone: "Europe/Berlin" }), "page")
 * @throws `invalid-interval`, `interval-in-months`, `window-out-of-range`, `window-time-zone`, `time-zone`
 */
export const window = <const Column extends string, const As extends string = "window">(
  column: Column,
  size: string,
  options: WindowOptions<As> = {},
): WindowKey<Column, As, Column> => {
  requireKnown("window()", options, KNOWN);
  return Object.freeze({ spec: makeWindow({ column, size, ...options }), functions: NO_FUNCTIONS });
};

const KNOWN = { slide: true, offset: true, timeZone: true, as: true } satisfies Record<
  keyof WindowOptions<string>,
  true
>;

const NO_FUNCTIONS = Object.freeze({});

/** A gap per row: the first case that holds, else `otherwise`. A gap of null, zero or less ignores the row (SEMANTICS D2). */
export interface GapCases<Names extends string> {
  readonly cases: readonly { readonly when: ExprOver<Names>; readonly gap: string | null }[];
  readonly otherwise: string | null;
}

/**
 * Sessions: rows of a key that follow each other within the gap (exactly one gap apart still merges). Another grouping key is needed.
 *
 * @param gap an interval, cases tried in order, or a function of the row that returns an interval (null, or text that is none: the row is ignored)
 * @example groupBy(sessionWindow("eventTime", "30 minutes"), "userId")
 * @throws `invalid-interval`
 */
export function sessionWindow<
  const Column extends string,
  const As extends string = "session_window",
  Names extends string = never,
>(
  column: Column,
  gap: string | GapCases<Names> | ((row: Readonly<Record<string, unknown>>) => string | null),
  options: { readonly as?: As } = {},
): WindowKey<Column, As, Column | Names> {
  requireKnown("sessionWindow()", options, { as: true });
  const { spec, functions } = gapOf(gap);
  return Object.freeze({ spec: makeSession(column, spec, options.as), functions });
}

function gapOf(gap: string | GapCases<string> | ((row: never) => string | null)): {
  readonly spec: SessionSpec["gap"];
  readonly functions: Readonly<Record<string, unknown>>;
} {
  if (typeof gap === "string") return { spec: parseSessionGap(gap), functions: NO_FUNCTIONS };
  if (typeof gap === "function") {
    const id = functionId("gap", gap);
    const micros = (row: never) => gapOfRow(gap(row));
    return { spec: Object.freeze({ function: id }), functions: Object.freeze({ [id]: micros }) };
  }
  const cases = gap.cases.map((one) => Object.freeze({ when: toExpression(one.when), gap: gapMicros(one.gap) }));
  return {
    spec: Object.freeze({ cases: Object.freeze(cases), otherwise: gapMicros(gap.otherwise) }),
    functions: NO_FUNCTIONS,
  };
}

/** What a row says may be no interval: then the row is ignored, as one without a gap (SEMANTICS D2). */
function gapOfRow(gap: string | null | undefined): number | null {
  if (gap === null || gap === undefined) return null;
  if (typeof gap !== "string") return parseSessionGap(gap);
  try {
    return parseSessionGap(gap);
  } catch {
    return null;
  }
}

const gapMicros = (gap: string | null) => (gap === null ? null : parseSessionGap(gap));
