import { expect, it } from "vitest";
import { arrivalOf, deliveredRecord, sequenceOf } from "../../../lib/local/event-source-mapping/event-record.js";

it("is a record as Lambda delivers it: base64, epoch seconds, its shard in its id", () => {
  const record = deliveredRecord("arn:aws:kinesis:eu-west-1:000000000000:stream/s", "shardId-000000000001", {
    SequenceNumber: "49",
    PartitionKey: "k",
    Data: Buffer.from("hi"),
    ApproximateArrivalTimestamp: new Date(1_500),
  });
  expect(record).toMatchObject({ eventID: "shardId-000000000001:49", awsRegion: "eu-west-1" });
  expect(record.kinesis).toMatchObject({ data: "aGk=", approximateArrivalTimestamp: 1.5 });
  expect([sequenceOf(record), arrivalOf(record)]).toEqual(["49", 1_500]);
});
