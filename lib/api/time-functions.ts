import { windowGrid } from "../plan/nodes/nodes.js";
import type { ColumnType, LongColumn, TimestampColumn, WindowColumn } from "./column-type.js";
import { call, type Expr, type ExprOver } from "./expr.js";

type Part<N extends string> = Expr<ColumnType<"int", number | null>, N>;
type Instant<N extends string> = Expr<TimestampColumn, N>;

/** ISO 8601 text as an instant, six fraction digits kept; without a zone it is UTC. A row whose text does not parse fails (`cast-failed`). */
export const toTimestamp = <N extends string>(text: ExprOver<N>): Instant<N> => call("toTimestamp", [text]);
/** Epoch seconds, with a fraction or without, as an instant to the microsecond. @example timestampSeconds(col("ts")) */
export const timestampSeconds = <N extends string>(seconds: ExprOver<N>): Instant<N> =>
  call("timestampSeconds", [seconds]);
/** Epoch milliseconds as an instant. @example timestampMillis(col("sentAtMs")) */
export const timestampMillis = <N extends string>(millis: ExprOver<N>): Instant<N> => call("timestampMillis", [millis]);
/** An instant as whole epoch milliseconds, a long, rounded down. @example unixMillis(col("eventTime")) */
export const unixMillis = <N extends string>(time: ExprOver<N>): Expr<LongColumn, N> => call("unixMillis", [time]);

/** What `dateTrunc` cuts to. */
export type TruncationUnit = "year" | "month" | "week" | "day" | "hour" | "minute" | "second";

/** The start of the year, …, second that the instant lies in (UTC; weeks begin on Monday). It is computed, so it loses the watermark. @example dateTrunc("day", col("eventTime")) */
export const dateTrunc = <N extends string>(unit: TruncationUnit, time: ExprOver<N>): Instant<N> =>
  call("dateTrunc", [time], { unit });

/** The year of an instant, an int; all calendar fields are in UTC. @example year(col("eventTime")) */
export const year = <N extends string>(time: ExprOver<N>): Part<N> => call("year", [time]);
/** 1 to 12, in UTC. */
export const month = <N extends string>(time: ExprOver<N>): Part<N> => call("month", [time]);
/** 1 to 31, in UTC. */
export const dayOfMonth = <N extends string>(time: ExprOver<N>): Part<N> => call("dayOfMonth", [time]);
/** 1 is Sunday, 7 Saturday, as in Spark; in UTC. */
export const dayOfWeek = <N extends string>(time: ExprOver<N>): Part<N> => call("dayOfWeek", [time]);
/** 0 to 23, in UTC. */
export const hour = <N extends string>(time: ExprOver<N>): Part<N> => call("hour", [time]);
/** 0 to 59, in UTC. */
export const minute = <N extends string>(time: ExprOver<N>): Part<N> => call("minute", [time]);
/** 0 to 59, the fraction left out. */
export const second = <N extends string>(time: ExprOver<N>): Part<N> => call("second", [time]);

/**
 * The window that an instant lies in, as a column of its own; it keeps the watermark. A sliding one repeats the row for
 * each of its windows; rows without time are dropped (SEMANTICS G1).
 * @example stream.withColumn("w", windowOf(col("eventTime"), "5 minutes"))
 * @throws `window-out-of-range`, `invalid-interval`, `interval-in-months`
 */
export const windowOf = <N extends string>(
  time: ExprOver<N>,
  size: string,
  options: { readonly slide?: string; readonly offset?: string } = {},
): Expr<WindowColumn, N> => call("windowOf", [time], { ...windowGrid({ size, ...options }) });

/** The event time of a window: its end less a microsecond; it keeps the watermark (SEMANTICS H4). @example withColumn("at", windowTime(col("window"))) */
export const windowTime = <N extends string>(window: ExprOver<N>): Expr<TimestampColumn<never>, N> =>
  call("windowTime", [window]);
