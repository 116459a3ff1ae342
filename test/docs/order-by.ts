import { columns, count, kinesis, long, memory, readStream, string, timestamp } from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

export const top = views
  .groupBy("page")
  .agg({ views: count() })
  .orderBy({ column: "views", descending: true })
  .limit(10)
  .writeStream({ queryName: "top-pages", outputMode: "complete", sink: memory() });
