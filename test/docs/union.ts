import { columns, count, kinesis, long, readStream, string, timestamp, window } from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

const mobile = readStream(kinesis({ stream: "mobile-views", schema: PageView })).withWatermark("eventTime", "1 hour");

export const all = views
  .withWatermark("eventTime", "10 minutes")
  .union(mobile)
  .groupBy(window("eventTime", "5 minutes"))
  .agg({ views: count() });
