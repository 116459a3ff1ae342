import { columns, count, kinesis, long, readStream, s3, string, sum, timestamp, window } from "../lib/index.js";
import { queryHandler } from "../lib/lambda.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });

/** Views and dwell time per page and 5 minutes; an event may be 10 minutes late. */
export const pageViews = readStream(kinesis({ stream: "page-views", schema: PageView }))
  .withWatermark("eventTime", "10 minutes")
  .groupBy(window("eventTime", "5 minutes"), "page")
  .agg({ views: count(), dwell: sum("durationMs") })
  .writeStream({ queryName: "page-views-5min", outputMode: "append", sink: s3({ prefix: "page-views/" }) });

export const handler = queryHandler(pageViews);
