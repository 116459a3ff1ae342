import { Buffer } from "node:buffer";
import { userError } from "../errors.js";
import { decodeBase64 } from "./base64.js";
import { deaggregate, isAggregate } from "./kpl.js";
import type { Delivery, SourceRecord } from "./source.js";

/** The part of Lambda's Kinesis event that is read. */
export interface KinesisEvent {
  readonly Records: readonly KinesisEventRecord[];
}

export interface KinesisEventRecord {
  /** `shardId-000000000000:49590338271490256608559692538361571095921575989136588898` */
  readonly eventID: string;
  /** `arn:aws:kinesis:eu-central-1:123456789012:stream/page-views` */
  readonly eventSourceARN: string;
  readonly kinesis: {
    readonly sequenceNumber: string;
    readonly partitionKey: string;
    readonly data: string;
    /** Seconds, with a fraction. */
    readonly approximateArrivalTimestamp: number;
  };
}

/**
 * One delivery per stream and shard, in the event's order; KPL aggregates are taken apart, their user records numbered by `sub`.
 * A payload that is no base64 is delivered as its text's bytes, so that it reaches the malformed output instead of blocking the shard.
 *
 * @param sourceOf the query's source name for a stream name; undefined if the query does not read it
 * @throws `not-a-kinesis-event`, `unknown-stream`
 */
export function kinesisDeliveries(
  event: KinesisEvent,
  sourceOf: (stream: string) => string | undefined,
): readonly Delivery[] {
  const deliveries = new Map<string, Delivery & { readonly records: SourceRecord[] }>();
  let last: (Delivery & { readonly records: SourceRecord[] }) | undefined;
  let lastArn = "";
  for (const { eventID, eventSourceARN, kinesis } of recordsOf(event)) {
    const shard = eventID.slice(0, eventID.indexOf(":"));
    if (last === undefined || last.shard !== shard || lastArn !== eventSourceARN) {
      const id = `${eventSourceARN} ${shard}`;
      last = deliveries.get(id) ?? newDelivery(eventSourceARN, shard, sourceOf);
      lastArn = eventSourceARN;
      deliveries.set(id, last);
    }
    appendRecords(last.records, kinesis);
  }
  return [...deliveries.values()];
}

function appendRecords(records: SourceRecord[], kinesis: KinesisEventRecord["kinesis"]): void {
  const { sequenceNumber: sequence, partitionKey } = kinesis;
  const data = decodeBase64(kinesis.data) ?? Buffer.from(kinesis.data, "utf8");
  const arrival = Math.round(kinesis.approximateArrivalTimestamp * 1000);
  const users = isAggregate(data) ? deaggregate(data) : null;
  if (users === null) {
    records.push({ sequence, sub: 0, data, arrival, partitionKey });
    return;
  }
  for (let sub = 0; sub < users.length; sub++) {
    records.push({ sequence, sub, arrival, ...(users[sub] as (typeof users)[number]) });
  }
}

function recordsOf(event: KinesisEvent): readonly KinesisEventRecord[] {
  const records: unknown = event?.Records;
  if (!Array.isArray(records) || !records.every(isKinesisRecord)) {
    throw userError(
      "not-a-kinesis-event",
      "The event holds something else than Kinesis records.",
      "Connect the function to a Kinesis stream by an event source mapping.",
    );
  }
  return records;
}

const isKinesisRecord = (record: Partial<KinesisEventRecord> | null): boolean =>
  typeof record?.eventID === "string" &&
  typeof record.eventSourceARN === "string" &&
  record.eventID.indexOf(":") > 0 &&
  typeof record.kinesis?.sequenceNumber === "string" &&
  typeof record.kinesis.data === "string" &&
  Number.isFinite(record.kinesis.approximateArrivalTimestamp);

const newDelivery = (arn: string, shard: string, sourceOf: (stream: string) => string | undefined) => {
  const stream = arn.slice(arn.lastIndexOf("/") + 1);
  const source = sourceOf(stream);
  if (source === undefined) {
    throw userError(
      "unknown-stream",
      `The query does not read the stream '${stream}'.`,
      "Remove the event source mapping, or add the stream to the query.",
    );
  }
  const records: SourceRecord[] = [];
  return { source, stream, shard, records };
};
