import {
  boolean,
  columns,
  type DataStream,
  double,
  kinesis,
  long,
  memory,
  type RowOf,
  readStream,
  string,
  timestamp,
} from "../../lib/index.js";

export const views = readStream(
  kinesis({
    stream: "page-views",
    schema: columns({
      eventTime: timestamp(),
      page: string(),
      userId: string().notNull(),
      durationMs: long(),
      score: double(),
      bot: boolean(),
    }),
  }),
);

export const timedViews = views.withWatermark("eventTime", "10 minutes");

export const purchases = readStream(
  kinesis({ stream: "purchases", schema: columns({ boughtAt: timestamp(), buyer: string(), cents: long() }) }),
).withWatermark("boughtAt", "1 minute");

export const sink = memory();

/** The row type of a stream. */
export type RowIn<Stream> = Stream extends DataStream<infer S, infer _T, infer _A> ? RowOf<S> : never;
/** The names of its event-time columns. */
export type TimeIn<Stream> = Stream extends DataStream<infer _S, infer T, infer _A> ? T : never;
