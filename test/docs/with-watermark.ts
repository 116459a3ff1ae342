import { columns, count, kinesis, long, readStream, string, timestamp, window } from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

export const perPage = views
  .withWatermark("eventTime", "10 minutes")
  .groupBy(window("eventTime", "5 minutes"), "page")
  .agg({ views: count() });
