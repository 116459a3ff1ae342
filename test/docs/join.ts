import { columns, kinesis, long, memory, readStream, string, timestamp } from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

const Purchase = columns({ boughtAt: timestamp(), buyer: string(), cents: long() });
const purchases = readStream(kinesis({ stream: "purchases", schema: Purchase })).withWatermark("boughtAt", "5 minutes");

export const bought = views
  .withWatermark("eventTime", "10 minutes")
  .join(purchases, {
    type: "leftOuter",
    on: (view, purchase) => view.userId.eq(purchase.buyer),
    within: { from: "0 seconds", to: "1 hour" },
  })
  .writeStream({ queryName: "view-to-purchase", outputMode: "append", sink: memory() });
