import { columns, kinesis, long, readStream, string, timestamp } from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

export const delivered = views
  .withWatermark("eventTime", "10 minutes")
  .dropDuplicatesWithinWatermark(["userId", "page"], { id: "delivered-once" });
