import { columns, kinesis, long, readStream, string, timestamp } from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

export const once = views.withWatermark("eventTime", "10 minutes").dropDuplicates(["userId", "page", "eventTime"]);
export const distinctRows = views.distinct();
