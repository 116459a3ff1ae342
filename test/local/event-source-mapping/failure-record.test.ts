import { describe, expect, it } from "vitest";
import { failureRecord } from "../../../lib/local/event-source-mapping/failure-record.js";
import { deliveredRecords } from "./delivered-records.js";

const discarded = (invokeCount: number, threw: boolean) =>
  failureRecord({
    records: deliveredRecords(3),
    reason: "RetryAttemptsExhausted",
    invokeCount,
    threw,
    functionArn: "arn:f",
    now: 0,
  });

describe("what the on-failure destination gets", () => {
  it("says where the records lie and when they arrived, and holds none of them", () => {
    const record = discarded(2, true);
    expect(record.KinesisBatchInfo).toEqual({
      shardId: "shardId-000000000000",
      startSequenceNumber: "1",
      endSequenceNumber: "3",
      approximateArrivalOfFirstRecord: "2026-01-01T00:00:00.000Z",
      approximateArrivalOfLastRecord: "2026-01-01T00:00:02.000Z",
      batchSize: 3,
      streamArn: "arn:aws:kinesis:us-east-1:000000000000:stream/s",
    });
    expect(JSON.stringify(record)).not.toContain('"data"');
  });

  it("tells a throw from a report, and both from records that were never sent", () => {
    expect(discarded(1, true).responseContext).toHaveProperty("functionError");
    expect(discarded(1, false).responseContext).not.toHaveProperty("functionError");
    expect(discarded(0, false)).not.toHaveProperty("responseContext");
  });
});
