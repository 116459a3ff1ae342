import { columns, kinesis, long, memory, readStream, string, timestamp } from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

export const sample = views
  .limit(100)
  .writeStream({ queryName: "first-hundred", outputMode: "append", sink: memory() });
