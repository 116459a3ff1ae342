import { columns, double, kinesis, long, readStream, string, timestamp } from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

export const measured = views
  .withWatermark("eventTime", "10 minutes")
  .map((row) => ({ at: row.eventTime, seconds: Number(row.durationMs ?? 0) / 1000 }), {
    columns: columns({ at: timestamp(), seconds: double() }),
    eventTime: "at",
  });
