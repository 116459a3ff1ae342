import { Buffer } from "node:buffer";
import { userError } from "../errors.js";
import { decodeBase64 } from "./base64.js";
import { deaggregate } from "./kpl.js";
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
    /** Seconds, with a fraction; milliseconds from some emulators. */
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
    if (last === undefined || lastArn !== eventSourceARN || !isOfShard(eventID, last.shard)) {
      const shard = eventID.slice(0, eventID.indexOf(":"));
      const id = `${eventSourceARN} ${shard}`;
      last = deliveries.get(id) ?? newDelivery(eventSourceARN, shard, sourceOf);
      lastArn = eventSourceARN;
      deliveries.set(id, last);
    }
    appendRecords(last.records, kinesis);
  }
  return [...deliveries.values()];
}

/** The stream that the event is of; undefined: it holds no record. An event holds one shard of one stream. */
export const streamOf = (event: KinesisEvent): string | undefined => {
  const arn = recordsOf(event)[0]?.eventSourceARN;
  return arn === undefined ? undefined : streamName(arn);
};

/** Records of a query's own stream, as they are: what is put there is never an aggregate. */
export const shuffledPayloads = (
  event: KinesisEvent,
): readonly { readonly sequence: string; readonly data: Uint8Array }[] =>
  recordsOf(event).map(({ kinesis }) => ({
    sequence: kinesis.sequenceNumber,
    data: Buffer.from(kinesis.data, "base64"),
  }));

const streamName = (arn: string): string => arn.slice(arn.lastIndexOf("/") + 1);

/** Without cutting a string per record. */
const isOfShard = (eventID: string, shard: string): boolean =>
  eventID.charCodeAt(shard.length) === COLON && eventID.startsWith(shard);

const COLON = 58;

function appendRecords(records: SourceRecord[], kinesis: KinesisEventRecord["kinesis"]): void {
  const { sequenceNumber: sequence, partitionKey } = kinesis;
  const arrival = arrivalMs(kinesis.approximateArrivalTimestamp);
  const whole = new KinesisRecord(sequence, kinesis.data, arrival, partitionKey);
  const users = kinesis.data.startsWith(AGGREGATE_BASE64) ? deaggregate(whole.data) : null;
  // One without records is a record all the same: it must be counted, and consumed, for a look at the shard's end finds it.
  if (users === null || users.length === 0) {
    records.push(whole);
    return;
  }
  for (let sub = 0; sub < users.length; sub++) {
    records.push({ sequence, sub, arrival, ...(users[sub] as (typeof users)[number]) });
  }
}

/** Some emulators say milliseconds; as seconds they would be tens of thousands of years ahead, and no event would be ahead of them. */
const arrivalMs = (seconds: number): number => Math.round(seconds < SECONDS_OF_9999 ? seconds * 1000 : seconds);

const SECONDS_OF_9999 = 253_402_300_800;

/** The first 30 bits of a KPL aggregate's magic number. */
const AGGREGATE_BASE64 = "84maw";

/** A class, because its bytes must not be decoded, nor a closure be made, for each of the many records that nobody asks for them. */
class KinesisRecord implements SourceRecord {
  readonly sub = 0;

  constructor(
    readonly sequence: string,
    readonly base64: string,
    readonly arrival: number,
    readonly partitionKey: string,
  ) {}

  get data(): Uint8Array {
    return decodeBase64(this.base64) ?? Buffer.from(this.base64, "utf8");
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

function isKinesisRecord(record: Partial<KinesisEventRecord> | null): boolean {
  if (typeof record !== "object" || record === null) return false;
  const { eventID, eventSourceARN, kinesis } = record;
  return (
    typeof eventID === "string" &&
    typeof eventSourceARN === "string" &&
    eventID.indexOf(":") > 0 &&
    typeof kinesis === "object" &&
    kinesis !== null &&
    typeof kinesis.sequenceNumber === "string" &&
    typeof kinesis.data === "string" &&
    Number.isFinite(kinesis.approximateArrivalTimestamp)
  );
}

const newDelivery = (arn: string, shard: string, sourceOf: (stream: string) => string | undefined) => {
  const stream = streamName(arn);
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
