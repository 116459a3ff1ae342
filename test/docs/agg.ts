import {
  approxCountDistinct,
  approxPercentile,
  avg,
  collectSet,
  columns,
  count,
  kinesis,
  long,
  max,
  maxBy,
  memory,
  readStream,
  string,
  sum,
  timestamp,
  userAggregate,
  window,
} from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

export const stats = views
  .withWatermark("eventTime", "10 minutes")
  .groupBy(window("eventTime", "5 minutes"), "page")
  .agg(
    {
      views: count(),
      dwell: sum("durationMs"),
      mean: avg("durationMs"),
      longest: max("durationMs"),
      slowestUser: maxBy("userId", "durationMs"),
      users: approxCountDistinct("userId"),
      p99: approxPercentile("durationMs", 0.99),
      who: collectSet("userId"),
      span: userAggregate("eventTime", {
        init: () => ({ low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY }),
        add: (span, t: number | null) =>
          t === null ? span : { low: Math.min(span.low, t), high: Math.max(span.high, t) },
        merge: (a, b) => ({ low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) }),
        finish: ({ low, high }) => (high < low ? null : high - low),
      }),
    },
    { id: "page-stats" },
  )
  .writeStream({ queryName: "page-stats", outputMode: "append", sink: memory() });
