import {
  and,
  coalesce,
  col,
  columns,
  concat,
  dateTrunc,
  double,
  hour,
  interval,
  kinesis,
  lit,
  long,
  not,
  readStream,
  round,
  startsWith,
  string,
  timestamp,
  when,
} from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

export const computed = views.filter(and(not(startsWith(col("page"), "/admin")), col("durationMs").gt(0))).select({
  day: dateTrunc("day", col("eventTime")),
  atNight: hour(col("eventTime")).lt(6),
  deadline: col("eventTime").plus(interval("30 minutes")),
  seconds: round(col("durationMs").dividedBy(1000), 1),
  weight: when(col("durationMs").ge(60_000), lit(1, double())).otherwise(lit(0.5, double())),
  label: concat(coalesce(col("userId"), "anonymous"), " at ", col("page")),
});
