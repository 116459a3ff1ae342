import {
  col,
  columns,
  count,
  hour,
  kinesis,
  long,
  readStream,
  sessionWindow,
  string,
  timestamp,
  window,
} from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

const timed = views.withWatermark("eventTime", "10 minutes");

export const tumbling = timed.groupBy(window("eventTime", "5 minutes"), "page").agg({ views: count() });
export const sliding = timed.groupBy(window("eventTime", "1 hour", { slide: "5 minutes" })).agg({ views: count() });
export const daily = timed.groupBy(window("eventTime", "1 day", { timeZone: "Europe/Berlin" })).agg({ views: count() });
export const sessions = timed.groupBy(sessionWindow("eventTime", "30 minutes"), "userId").agg({ views: count() });
export const byHour = views.groupBy({ hour: hour(col("eventTime")) }).agg({ views: count() });
