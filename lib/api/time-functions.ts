import { windowGrid } from "../plan/nodes/nodes.js";
import { compileTimestampFormat } from "../time/format-pattern.js";
import { requireZone } from "../time/time-zone.js";
import { checkReading, type TimestampReading } from "../time/timestamp-reader.js";
import type { ColumnType, LongColumn, StringColumn, TimestampColumn, WindowColumn } from "./column-type.js";
import { call, type Expr, type ExprOver } from "./expr.js";

type Part<N extends string> = Expr<ColumnType<"int", number | null>, N>;
type Instant<N extends string> = Expr<TimestampColumn, N>;

/** Where clocks stand, for text without a zone and for what is written: a region or an offset; UTC by default. */
export interface InTimeZone {
  readonly timeZone?: string;
}

/** As call options; a mistake in pattern or zone shows here and not at the first row. */
function textOptions(format: string | undefined, { timeZone }: InTimeZone, check: (given: TimestampReading) => void) {
  const options = { ...(format === undefined ? {} : { format }), ...(timeZone === undefined ? {} : { timeZone }) };
  check(options);
  return options;
}

const writable = ({ format = "", timeZone }: TimestampReading): void => {
  compileTimestampFormat(format, timeZone === undefined ? undefined : requireZone(timeZone));
};

/**
 * Text as an instant: by `format` in Spark's pattern letters, or by the rules of Spark's cast. A row whose text does not parse fails
 * (`cast-failed`); `tryToTimestamp` gives NULL.
 * @example toTimestamp(col("born"), "MMM d yyyy")
 * @throws `time-pattern`, `time-zone`
 */
export const toTimestamp = <N extends string>(
  text: ExprOver<N>,
  format?: string,
  options: InTimeZone = {},
): Instant<N> => call("toTimestamp", [text], textOptions(format, options, checkReading));
/** As `toTimestamp`, NULL where the text does not parse. @example tryToTimestamp(col("seen"), "yyyy/MM/dd HH:mm:ss") */
export const tryToTimestamp = <N extends string>(
  text: ExprOver<N>,
  format?: string,
  options: InTimeZone = {},
): Instant<N> => call("tryToTimestamp", [text], textOptions(format, options, checkReading));
/** An instant as text, in Spark's pattern letters. @example dateFormat(col("eventTime"), "yyyy-MM-dd HH:mm", { timeZone: "Europe/Berlin" }) @throws `time-pattern`, `time-zone` */
export const dateFormat = <N extends string>(
  time: ExprOver<N>,
  format: string,
  options: InTimeZone = {},
): Expr<StringColumn, N> => call("dateFormat", [time], textOptions(format, options, writable));
/** Whole epoch seconds as text, `yyyy-MM-dd HH:mm:ss` by default. @example fromUnixtime(col("ts")) @throws `time-pattern`, `time-zone` */
export const fromUnixtime = <N extends string>(
  seconds: ExprOver<N>,
  format?: string,
  options: InTimeZone = {},
): Expr<StringColumn, N> => call("fromUnixtime", [seconds], textOptions(format, options, writable));
/** Text, `yyyy-MM-dd HH:mm:ss` by default, or an instant as whole epoch seconds, the fraction cut. @example unixTimestamp(col("at"), "yyyy/MM/dd") */
export const unixTimestamp = <N extends string>(
  time: ExprOver<N>,
  format?: string,
  options: InTimeZone = {},
): Expr<LongColumn, N> => call("unixTimestamp", [time], textOptions(format, options, checkReading));
/** The instant whose reading in UTC is this one's in the zone. @example fromUtcTimestamp(col("eventTime"), "Europe/Berlin") @throws `time-zone` */
export const fromUtcTimestamp = <N extends string>(time: ExprOver<N>, timeZone: string): Instant<N> =>
  call("fromUtcTimestamp", [time], textOptions(undefined, { timeZone }, checkReading));
/** The instant whose reading in the zone is this one's in UTC. @example toUtcTimestamp(col("localTime"), "Europe/Berlin") @throws `time-zone` */
export const toUtcTimestamp = <N extends string>(time: ExprOver<N>, timeZone: string): Instant<N> =>
  call("toUtcTimestamp", [time], textOptions(undefined, { timeZone }, checkReading));
/** Epoch seconds, with a fraction or without, as an instant to the microsecond. @example timestampSeconds(col("ts")) */
export const timestampSeconds = <N extends string>(seconds: ExprOver<N>): Instant<N> =>
  call("timestampSeconds", [seconds]);
/** Epoch milliseconds as an instant. @example timestampMillis(col("sentAtMs")) */
export const timestampMillis = <N extends string>(millis: ExprOver<N>): Instant<N> => call("timestampMillis", [millis]);
/** Epoch microseconds as an instant. @example timestampMicros(col("tsMicros")) */
export const timestampMicros = <N extends string>(micros: ExprOver<N>): Instant<N> => call("timestampMicros", [micros]);
/** An instant as whole epoch seconds, a long, rounded down. @example unixSeconds(col("eventTime")) */
export const unixSeconds = <N extends string>(time: ExprOver<N>): Expr<LongColumn, N> => call("unixSeconds", [time]);
/** An instant as epoch microseconds, a long. @example unixMicros(col("eventTime")) */
export const unixMicros = <N extends string>(time: ExprOver<N>): Expr<LongColumn, N> => call("unixMicros", [time]);
/** An instant as whole epoch milliseconds, a long, rounded down. @example unixMillis(col("eventTime")) */
export const unixMillis = <N extends string>(time: ExprOver<N>): Expr<LongColumn, N> => call("unixMillis", [time]);

/** What `dateTrunc` cuts to. */
export type TruncationUnit = "year" | "month" | "week" | "day" | "hour" | "minute" | "second";

/**
 * The start of the year, …, second that the instant lies in; weeks begin on Monday. In UTC, or where clocks of a time zone show it.
 * It is computed, so it loses the watermark.
 * @example dateTrunc("day", col("eventTime"))
 * @example dateTrunc("week", col("eventTime"), { timeZone: "America/New_York" })
 * @throws `time-zone`
 */
export const dateTrunc = <N extends string>(
  unit: TruncationUnit,
  time: ExprOver<N>,
  options: InTimeZone = {},
): Instant<N> => call("dateTrunc", [time], { unit, ...textOptions(undefined, options, checkReading) });

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
 * @throws `window-out-of-range`, `invalid-interval`, `interval-in-months`, `window-time-zone`, `time-zone`
 */
export const windowOf = <N extends string>(
  time: ExprOver<N>,
  size: string,
  options: { readonly slide?: string; readonly offset?: string; readonly timeZone?: string } = {},
): Expr<WindowColumn, N> => call("windowOf", [time], { ...windowGrid({ size, ...options }) });

/** The event time of a window: its end less a microsecond; it keeps the watermark (SEMANTICS H4). @example withColumn("at", windowTime(col("window"))) */
export const windowTime = <N extends string>(window: ExprOver<N>): Expr<TimestampColumn<never>, N> =>
  call("windowTime", [window]);
