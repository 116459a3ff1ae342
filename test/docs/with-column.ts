import { col, columns, kinesis, long, readStream, string, timestamp, when } from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

export const classified = views
  .withColumn(
    "kind",
    when(col("durationMs").lt(1000), "bounce").when(col("durationMs").lt(60_000), "visit").otherwise("stay"),
  )
  .withColumn("host", (row) => (row.page === null ? null : new URL(row.page, "https://example.com").host), string());
