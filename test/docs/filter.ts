import { col, columns, kinesis, long, readStream, string, timestamp } from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

export const long5 = views
  .withWatermark("eventTime", "10 minutes")
  .filter(col("page").isNotNull().and(col("durationMs").gt(5000)))
  .filter((row) => row.userId !== "robot");
