import { columns, kinesis, long, readStream, readTable, string, timestamp } from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

const pages = readTable({
  name: "pages",
  schema: columns({ page: string(), section: string() }),
  rows: [
    { page: "/", section: "home" },
    { page: "/docs", section: "docs" },
  ],
});

export const withSection = views.join(pages, { type: "leftOuter", using: ["page"] });
