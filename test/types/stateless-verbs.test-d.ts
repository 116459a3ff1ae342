import {
  coalesce,
  col,
  columns,
  double,
  interval,
  lit,
  long,
  string,
  timestamp,
  upper,
  type Window,
  when,
  windowOf,
  windowTime,
} from "../../lib/index.js";
import { type Equal, expectType } from "./expect-type.js";
import { type RowIn, type TimeIn, timedViews, views } from "./streams.js";

expectType<Equal<RowIn<typeof views>["userId"], string>>();
expectType<Equal<RowIn<typeof views>["page"], string | null>>();
expectType<Equal<RowIn<typeof views>["durationMs"], number | bigint | null>>();
expectType<Equal<TimeIn<typeof views>, never>>();
expectType<Equal<TimeIn<typeof timedViews>, "eventTime">>();

// select: names, renames, expressions
const selected = timedViews.select("page", {
  at: "eventTime",
  seconds: col("durationMs").dividedBy(1000),
  more: col("durationMs").plus(1),
  later: col("eventTime").plus(interval("1 hour")),
  shout: upper(col("page")),
  w: windowOf(col("eventTime"), "5 minutes"),
});
expectType<
  Equal<
    RowIn<typeof selected>,
    {
      readonly page: string | null;
      readonly at: number | null;
      readonly seconds: number | null;
      readonly more: number | bigint | null;
      readonly later: number | null;
      readonly shout: string | null;
      readonly w: Window;
    }
  >
>();
expectType<Equal<TimeIn<typeof selected>, "at" | "w">>();
// @ts-expect-error no such column
views.select("pages");
// @ts-expect-error no such column in an expression
views.select({ x: col("nope").plus(1) });

// withColumn
const widened = timedViews
  .withColumn("ratio", col("score").times(col("durationMs")))
  .withColumn("host", (row) => row.page?.length ?? null, long())
  .withColumn("tags", (row) => [row.userId])
  .withColumn("kind", when(col("durationMs").lt(1000), "bounce").otherwise("visit"))
  .withColumn("title", coalesce(col("page"), "none"))
  .withColumn("zero", lit(0, double()))
  .withColumn("text", col("durationMs").cast(string()));
expectType<Equal<RowIn<typeof widened>["ratio"], number | null>>();
expectType<Equal<RowIn<typeof widened>["host"], number | bigint | null>>();
expectType<Equal<RowIn<typeof widened>["tags"], string[]>>();
expectType<Equal<RowIn<typeof widened>["kind"], string>>();
expectType<Equal<RowIn<typeof widened>["title"], string>>();
expectType<Equal<RowIn<typeof widened>["text"], string | null>>();
expectType<Equal<TimeIn<typeof widened>, "eventTime">>();

// an overwritten event time is none any more
const overwritten = timedViews.withColumn("eventTime", col("eventTime").plus(interval("1 hour")));
expectType<Equal<TimeIn<typeof overwritten>, never>>();
// @ts-expect-error no such column
views.withColumn("x", col("nope"));

// filter
views.filter(col("page").isNotNull().and(col("durationMs").gt(5)));
views.filter((row) => row.bot !== true);
// @ts-expect-error no such column
views.filter(col("nope").gt(5));
// @ts-expect-error no such member of the row
views.filter((row) => row.nope > 5);

// rename and drop
const renamed = timedViews.rename({ eventTime: "at", page: "url" }).drop("score", "bot", "durationMs");
expectType<
  Equal<RowIn<typeof renamed>, { readonly at: number | null; readonly url: string | null; readonly userId: string }>
>();
expectType<Equal<TimeIn<typeof renamed>, "at">>();
expectType<Equal<TimeIn<ReturnType<typeof drop>>, never>>();
function drop() {
  return timedViews.drop("eventTime");
}
// @ts-expect-error no such column
views.rename({ nope: "x" });
// @ts-expect-error no such column
views.drop("nope");

// map and flatMap
const mapped = timedViews.map((row) => ({ at: row.eventTime, n: 1 }), { eventTime: "at" });
expectType<Equal<TimeIn<typeof mapped>, "at">>();
expectType<Equal<RowIn<typeof mapped>, { readonly at: number | null; readonly n: number }>>();
const lost = timedViews.map((row) => ({ at: row.eventTime }));
expectType<Equal<TimeIn<typeof lost>, never>>();
const typed = timedViews.flatMap((row) => [{ at: row.eventTime, n: 1n }], {
  columns: columns({ at: timestamp(), n: long() }),
  eventTime: "at",
});
expectType<Equal<RowIn<typeof typed>, { readonly at: number | null; readonly n: number | bigint | null }>>();
// @ts-expect-error not a column of the result
timedViews.map((row) => ({ at: row.eventTime }), { eventTime: "when" });

// withWatermark takes times only
// @ts-expect-error a long is no event time
views.withWatermark("durationMs", "10 minutes");
// @ts-expect-error no such column
views.withWatermark("nope", "10 minutes");

const timeOfWindow = timedViews.select({ t: windowTime(windowOf(col("eventTime"), "5 minutes")) });
expectType<Equal<TimeIn<typeof timeOfWindow>, "t">>();
