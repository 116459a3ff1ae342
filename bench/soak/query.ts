import { columns, count, kinesis, long, readStream, s3, string, sum, timestamp, window } from "../../lib/index.js";
import { queryHandler } from "../../lib/lambda.js";

const Reading = columns({ eventTime: timestamp().notNull(), device: string(), value: long() });

const soak = readStream(kinesis({ stream: "readings", schema: Reading }))
  .withWatermark("eventTime", "30 seconds")
  .groupBy(window("eventTime", "1 minute"), "device")
  .agg({ readings: count(), total: sum("value") })
  .writeStream({ queryName: "soak", outputMode: "append", sink: s3({ prefix: "out/" }) });

export const handler = queryHandler(soak);
