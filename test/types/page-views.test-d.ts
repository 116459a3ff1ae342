import { columns, count, kinesis, long, readStream, s3, string, sum, timestamp, window } from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });

export const pageViews = readStream(kinesis({ stream: "page-views", schema: PageView }))
  .withWatermark("eventTime", "10 minutes")
  .groupBy(window("eventTime", "5 minutes"), "page")
  .agg({ views: count(), dwell: sum("durationMs") })
  .writeStream({ queryName: "page-views-5min", outputMode: "append", sink: s3({ prefix: "page-views/" }) });

readStream(kinesis({ stream: "page-views", schema: PageView }))
  .groupBy(window("eventTime", "5 minutes"), "page")
  .agg({ views: count() })
  // @ts-expect-error append mode needs withWatermark() before groupBy()
  .writeStream({ queryName: "x", outputMode: "append", sink: s3({ prefix: "page-views/" }) });
