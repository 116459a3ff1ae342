import {
  col,
  columns,
  count,
  kinesis,
  long,
  memory,
  readStream,
  sessionWindow,
  string,
  struct,
  sum,
  timestamp,
  window,
} from "../lib/index.js";
import type { QueryDefinition } from "../lib/plan/logical-plan.js";

/** Draws one record: the random source and its event time, ISO 8601. */
export type Draw = (random: () => number, time: string, ordinal: number) => object | string;

/** A query of the matrix and the records that it is given. */
export interface MatrixQuery {
  readonly name: string;
  readonly definition: QueryDefinition;
  /** By stream, in turns. */
  readonly draws: Readonly<Record<string, Draw>>;
}

const whole = (random: () => number, below: number): number => Math.floor(random() * below);

const pageView: Draw = (random, eventTime) => ({
  eventTime,
  page: `/p/${Math.floor(random() * random() * 200)}`,
  userId: `u${whole(random, 5_000)}`,
  referrer: `https://example.org/search?q=${whole(random, 1e6)}`,
  durationMs: whole(random, 30_000),
  country: ["IT", "US", "DE", "FR"][whole(random, 4)],
  device: "mobile",
});

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const stream = (name = "views") => readStream(kinesis({ stream: name, schema: PageView }));
const views = () => stream().withWatermark("eventTime", "10 minutes");
const totals = () => ({ views: count(), dwell: sum("durationMs") });
const output = (queryName: string) => ({ queryName, outputMode: "append", sink: memory() }) as const;

const query = (name: string, { definition }: { readonly definition: QueryDefinition }, draw: Draw = pageView) => ({
  name,
  definition,
  draws: { views: draw },
});

const five = window("eventTime", "5 minutes");

const WIDE_COLUMNS = Array.from({ length: 37 }, (_, i) => `c${i}`);
const Wide = columns({
  eventTime: timestamp(),
  page: string(),
  durationMs: long(),
  ...Object.fromEntries(WIDE_COLUMNS.map((name) => [name, string()])),
});
const wide: Draw = (random, eventTime) => ({
  eventTime,
  page: `/p/${whole(random, 200)}`,
  ...Object.fromEntries(WIDE_COLUMNS.map((name) => [name, `value ${whole(random, 1000)}`])),
  durationMs: whole(random, 30_000),
});

const Nested = columns({
  eventTime: timestamp(),
  user: struct({ id: string(), country: string() }),
  durationMs: long(),
});
const nested: Draw = (random, eventTime) => ({
  eventTime,
  user: { id: `u${whole(random, 5_000)}`, country: ["IT", "US", "DE", "FR"][whole(random, 4)], tags: ["a", "b"] },
  durationMs: whole(random, 30_000),
});

/** An escape in a member's name is declined. */
const declined: Draw = (random, time, ordinal) =>
  JSON.stringify(pageView(random, time, ordinal)).replace('"page"', '"p\\u0061ge"');

const escaped: Draw = (random, time, ordinal) => ({
  ...(pageView(random, time, ordinal) as object),
  page: `/p/"${whole(random, 200)}"`,
});

export const MATRIX: readonly MatrixQuery[] = [
  query("tumbling, count and sum by page", views().groupBy(five, "page").agg(totals()).writeStream(output("tumbling"))),
  query(
    "sliding, 10 minutes every minute",
    views()
      .groupBy(window("eventTime", "10 minutes", { slide: "1 minute" }), "page")
      .agg(totals())
      .writeStream(output("sliding")),
  ),
  query(
    "by user and page, 5,000 x 200",
    views().groupBy(five, "userId", "page").agg(totals()).writeStream(output("users")),
  ),
  query(
    "deduplication within the watermark",
    views()
      .dropDuplicatesWithinWatermark(["userId", "page"])
      .groupBy(five)
      .agg({ views: count() })
      .writeStream(output("dedup")),
  ),
  query(
    "sessions of 5 minutes by user",
    views().groupBy(sessionWindow("eventTime", "5 minutes"), "userId").agg(totals()).writeStream(output("sessions")),
  ),
  {
    name: "join of two streams by user within an hour",
    definition: views()
      .select("eventTime", "userId", "page")
      .join(
        stream("clicks").withWatermark("eventTime", "10 minutes").select({ clickedAt: "eventTime", clicker: "userId" }),
        { on: (view, click) => view.userId.eq(click.clicker), within: { from: "0 seconds", to: "1 minute" } },
      )
      .writeStream(output("join")).definition,
    draws: { views: pageView, clicks: pageView },
  },
  query(
    "a filter that keeps 5 %",
    stream()
      .filter(col("durationMs").lt(1_500))
      .withWatermark("eventTime", "10 minutes")
      .groupBy(five, "page")
      .agg(totals())
      .writeStream(output("filter")),
  ),
  query(
    "40 columns, of which 3 are read",
    readStream(kinesis({ stream: "views", schema: Wide }))
      .withWatermark("eventTime", "10 minutes")
      .groupBy(five, "page")
      .agg(totals())
      .writeStream(output("wide")),
    wide,
  ),
  query(
    "nested JSON",
    readStream(kinesis({ stream: "views", schema: Nested }))
      .select("eventTime", { country: col("user").field("country") }, "durationMs")
      .withWatermark("eventTime", "10 minutes")
      .groupBy(five, "country")
      .agg(totals())
      .writeStream(output("nested")),
    nested,
  ),
  query("text with escapes", views().groupBy(five, "page").agg(totals()).writeStream(output("escapes")), escaped),
  query("every record declined", views().groupBy(five, "page").agg(totals()).writeStream(output("declined")), declined),
];
