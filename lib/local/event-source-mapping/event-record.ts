import type { _Record } from "@aws-sdk/client-kinesis";
import type { KinesisEventRecord } from "../../sources/kinesis-event.js";

/** A record as Lambda delivers it, every field of it. */
export interface DeliveredRecord extends KinesisEventRecord {
  readonly eventSource: "aws:kinesis";
  readonly eventVersion: "1.0";
  readonly eventName: "aws:kinesis:record";
  readonly invokeIdentityArn: string;
  readonly awsRegion: string;
  readonly kinesis: KinesisEventRecord["kinesis"] & { readonly kinesisSchemaVersion: "1.0" };
}

export function deliveredRecord(streamArn: string, shardId: string, record: _Record): DeliveredRecord {
  return {
    kinesis: {
      kinesisSchemaVersion: "1.0",
      partitionKey: record.PartitionKey!,
      sequenceNumber: record.SequenceNumber!,
      data: Buffer.from(record.Data!).toString("base64"),
      approximateArrivalTimestamp: record.ApproximateArrivalTimestamp!.getTime() / 1000,
    },
    eventSource: "aws:kinesis",
    eventVersion: "1.0",
    eventID: `${shardId}:${record.SequenceNumber}`,
    eventName: "aws:kinesis:record",
    invokeIdentityArn: "arn:aws:iam::000000000000:role/local",
    awsRegion: streamArn.split(":")[3] ?? "us-east-1",
    eventSourceARN: streamArn,
  };
}

export const sequenceOf = (record: DeliveredRecord): string => record.kinesis.sequenceNumber;
/** Epoch ms. */
export const arrivalOf = (record: DeliveredRecord): number => record.kinesis.approximateArrivalTimestamp * 1000;
