import { col, columns, dateTrunc, kinesis, long, readStream, string, timestamp } from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

export const slim = views.select("page", {
  at: "eventTime",
  seconds: col("durationMs").dividedBy(1000),
  day: dateTrunc("day", col("eventTime")),
});
