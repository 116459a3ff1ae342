import { type DeliveredRecord, deliveredRecord } from "../../../lib/local/event-source-mapping/event-record.js";

/** Sequence numbers 1 … count, arrivals a second apart. */
export const deliveredRecords = (count: number, bytes = 1): readonly DeliveredRecord[] =>
  Array.from({ length: count }, (_, i) =>
    deliveredRecord("arn:aws:kinesis:us-east-1:000000000000:stream/s", "shardId-000000000000", {
      SequenceNumber: `${i + 1}`,
      PartitionKey: "k",
      Data: Buffer.alloc(bytes),
      ApproximateArrivalTimestamp: new Date(Date.UTC(2026, 0, 1) + i * 1000),
    }),
  );
