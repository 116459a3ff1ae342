import { columns, kinesis, long, readStream, s3, string, timestamp } from "../lib/index.js";
import { queryHandler } from "../lib/lambda.js";

const Order = columns({ orderId: string(), placedAt: timestamp(), customer: string(), cents: long() });

/** Orders as placed, each once, though producers retry: repeats within 30 minutes of the first are dropped. */
export const orders = readStream(kinesis({ stream: "orders", schema: Order }))
  .withWatermark("placedAt", "30 minutes")
  .dropDuplicatesWithinWatermark(["orderId"])
  .writeStream({ queryName: "orders-once", outputMode: "append", sink: s3({ prefix: "orders/" }) });

export const handler = queryHandler(orders);
