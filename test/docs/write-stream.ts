import { columns, count, dynamodb, kinesis, long, readStream, s3, string, timestamp, window } from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

export const pageViews = views
  .withWatermark("eventTime", "10 minutes")
  .groupBy(window("eventTime", "5 minutes"), "page")
  .agg({ views: count() })
  .writeStream({
    queryName: "page-views-5min",
    outputMode: "append",
    sink: s3({ prefix: "page-views/" }),
    options: { closeOnIdle: "15 minutes", onError: "malformed" },
  });

export const fanned = views.writeStream({
  queryName: "page-views-fanned",
  outputMode: "append",
  sinks: { raw: s3({ prefix: "raw/" }), latest: dynamodb({ table: "page-views-latest", key: ["userId"] }) },
});

export const explanation = pageViews.explain();
export const warnings = pageViews.warnings;
