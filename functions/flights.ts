import { avg, columns, count, kinesis, long, readStream, s3, string, timestamp, window } from "../lib/index.js";
import { queryHandler } from "../lib/lambda.js";

const Flight = columns({
  scheduled: timestamp(),
  delay: long(),
  distance: long(),
  origin: string(),
  destination: string(),
});

/** Flights and mean delay per airport and hour of scheduled departure; 139 minutes is the 99th percentile of the delays. */
export const flights = readStream(kinesis({ stream: "flights", schema: Flight }))
  .withWatermark("scheduled", "139 minutes")
  .groupBy(window("scheduled", "1 hour"), "origin")
  .agg({ flights: count(), meanDelay: avg("delay") })
  .writeStream({ queryName: "flights-hourly", outputMode: "append", sink: s3({ prefix: "flights/" }) });

export const handler = queryHandler(flights);
