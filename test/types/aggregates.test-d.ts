import {
  approxPercentile,
  avg,
  bitAnd,
  col,
  collectList,
  count,
  countDistinct,
  first,
  long,
  max,
  maxBy,
  sessionWindow,
  stddev,
  sum,
  userAggregate,
  variance,
  type Window,
  when,
  window,
} from "../../lib/index.js";
import { type Equal, expectType } from "./expect-type.js";
import { type RowIn, sink, type TimeIn, timedViews, views } from "./streams.js";

const perPage = timedViews.groupBy(window("eventTime", "5 minutes"), "page").agg({
  views: count(),
  dwell: sum("durationMs"),
  scores: sum("score"),
  mean: avg(col("durationMs").plus(1)),
  longest: max("durationMs"),
  opener: first("userId"),
  who: collectList("userId"),
  people: countDistinct("userId"),
  best: maxBy("page", "score"),
  text: userAggregate("page", {
    init: () => "",
    add: (state: string, page: string | null) => state + (page ?? ""),
    merge: (a, b) => a + b,
    finish: (state) => state.length,
  }),
});
expectType<
  Equal<
    RowIn<typeof perPage>,
    {
      readonly window: Window;
      readonly page: string | null;
      readonly views: number;
      readonly dwell: number | bigint | null;
      readonly scores: number | null;
      readonly mean: number | null;
      readonly longest: number | bigint | null;
      readonly opener: string | null;
      readonly who: readonly string[];
      readonly people: number;
      readonly best: string | null;
      readonly text: number;
    }
  >
>();
expectType<Equal<TimeIn<typeof perPage>, "window">>();

const write = { queryName: "q", sink } as const;
perPage.writeStream({ ...write, outputMode: "append" });
perPage.writeStream({ ...write, outputMode: "update" });
perPage.writeStream({ ...write, outputMode: "complete" });

const named = timedViews
  .groupBy(window("eventTime", "1 hour", { as: "w" }), { len: col("durationMs") })
  .agg({ n: count() });
expectType<Equal<keyof RowIn<typeof named>, "w" | "len" | "n">>();
expectType<Equal<TimeIn<typeof named>, "w">>();

// @ts-expect-error no such column
timedViews.groupBy("nope");
// @ts-expect-error no such column
timedViews.groupBy("page").agg({ n: sum("nope") });
// @ts-expect-error no such column in an expression
timedViews.groupBy("page").agg({ n: sum(col("nope").plus(1)) });
// numbers alone have sums, means and percentiles
// @ts-expect-error a string is no number
timedViews.groupBy("page").agg({ n: sum("userId") });
// @ts-expect-error a string is no number, whatever stands beside it
timedViews.groupBy("page").agg({ views: count(), dwell: sum("durationMs"), n: avg("userId") });
// @ts-expect-error a time is no number
timedViews.groupBy("page").agg({ n: avg("eventTime") });
// @ts-expect-error a boolean is no number
timedViews.groupBy("page").agg({ n: stddev("bot") });
// @ts-expect-error neither is an expression that makes one
timedViews.groupBy("page").agg({ n: variance(col("durationMs").gt(1)) });
// @ts-expect-error nor a text
timedViews.groupBy("page").agg({ n: approxPercentile(col("userId"), 0.9) });
// @ts-expect-error nor a list
perPage.groupBy("window").agg({ n: sum("who") });
// @ts-expect-error nor a window
perPage.groupBy("page").agg({ n: sum("window") });
timedViews
  .groupBy("page")
  .agg({ n: sum(col("userId").cast(long())), m: avg("score"), p: approxPercentile("score", 0.9) });
timedViews.groupBy("page").agg({ n: max("userId"), m: first("bot"), c: count("page"), d: countDistinct("eventTime") });
// bits are of whole numbers alone
timedViews.groupBy("page").agg({ n: bitAnd("durationMs") });
// @ts-expect-error a double is no whole number
timedViews.groupBy("page").agg({ n: bitAnd("score") });
// @ts-expect-error nor is a string
timedViews.groupBy("page").agg({ n: bitAnd("page") });
// what a function makes, and json columns, may be numbers
const computed = timedViews.map((row) => ({ page: row.page, n: 1, text: "a" }));
computed.groupBy("page").agg({ n: sum("n"), m: avg("text") });
// of several types one may be a number: that is seen when the query is built
timedViews.groupBy("page").agg({ n: sum(when(col("bot"), col("durationMs")).otherwise(col("score"))) });

// @ts-expect-error a long is no time
timedViews.groupBy(window("durationMs", "5 minutes"));
// @ts-expect-error no such column
timedViews.groupBy(window("nope", "5 minutes"));

// append needs event time among the keys
const untimed = views.groupBy(window("eventTime", "5 minutes")).agg({ n: count() });
// @ts-expect-error append mode needs withWatermark() before groupBy()
untimed.writeStream({ ...write, outputMode: "append" });
untimed.writeStream({ ...write, outputMode: "update" });
const byPage = timedViews.groupBy("page").agg({ n: count() });
// @ts-expect-error the watermark is not among the keys
byPage.writeStream({ ...write, outputMode: "append" });
// a raw event time is
timedViews
  .groupBy("eventTime")
  .agg({ n: count() })
  .writeStream({ ...write, outputMode: "append" });

// complete needs an aggregation
// @ts-expect-error complete mode needs groupBy().agg()
timedViews.writeStream({ ...write, outputMode: "complete" });
timedViews.writeStream({ ...write, outputMode: "append" });

const sessions = timedViews.groupBy(sessionWindow("eventTime", "30 minutes"), "userId").agg({ n: count() });
expectType<Equal<TimeIn<typeof sessions>, "session_window">>();
timedViews.groupBy(
  sessionWindow("eventTime", { cases: [{ when: col("bot"), gap: null }], otherwise: "30 minutes" }),
  "userId",
);

// a chain: the window of a window
const chained = perPage.groupBy(window("window", "1 hour", { as: "hour" })).agg({ total: sum("views") });
expectType<Equal<RowIn<typeof chained>, { readonly hour: Window; readonly total: number | bigint | null }>>();
chained.writeStream({ ...write, outputMode: "append" });
