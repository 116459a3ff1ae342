import { columns, count, kinesis, long, readStream, s3, string, sum, timestamp, window } from "../../lib/index.js";

export const Reading = columns({ eventTime: timestamp(), device: string(), value: long() });

export const readings = (queryName = "counting") =>
  readStream(kinesis({ stream: "readings", schema: Reading }))
    .withWatermark("eventTime", "1 hour")
    .groupBy(window("eventTime", "1 minute"), "device")
    .agg({ readings: count(), total: sum("value") })
    .writeStream({ queryName, outputMode: "append", sink: s3({ prefix: "out/" }) });
