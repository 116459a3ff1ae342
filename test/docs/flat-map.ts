import { columns, kinesis, long, readStream, string, timestamp } from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

export const words = views.flatMap((row) =>
  (row.page ?? "")
    .split("/")
    .filter((word) => word !== "")
    .map((word) => ({ at: row.eventTime, word })),
);
