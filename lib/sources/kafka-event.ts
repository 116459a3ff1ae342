import { Buffer } from "node:buffer";
import { userError } from "../errors.js";
import { decodeBase64 } from "./base64.js";
import type { RecordHeader } from "./record-metadata.js";
import type { Delivery, SourceRecord } from "./source.js";

/** The part of Lambda's Kafka events that is read; MSK and self-managed clusters differ only in fields beside these. */
export interface KafkaEvent {
  readonly eventSource: string;
  /** By `topic-partition`. */
  readonly records: Readonly<Record<string, readonly KafkaEventRecord[]>>;
}

export interface KafkaEventRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** Epoch ms; by the topic's setting the producer's or the broker's time. */
  readonly timestamp: number;
  readonly key?: string | null;
  readonly headers?: readonly Readonly<Record<string, readonly number[]>>[];
  /** Base64; null or absent is a tombstone. */
  readonly value?: string | null;
}

export const isKafkaEvent = (event: unknown): event is KafkaEvent => {
  const source = (event as Partial<KafkaEvent> | null)?.eventSource;
  return source === "aws:kafka" || source === "SelfManagedKafka";
};

/**
 * One delivery per topic and partition: the shard is the partition's number, the sequence number the offset. Arrival is the record's
 * timestamp: the broker's where the topic says LogAppendTime, else the producer's, which is as good as the producers' clocks.
 * Tombstones are delivered as empty payloads, and go to the malformed output.
 *
 * @param sourceOf the query's source name for a topic; undefined if the query does not read it
 * @throws `not-a-kafka-event`, `unknown-topic`
 */
export function kafkaDeliveries(
  event: KafkaEvent,
  sourceOf: (topic: string) => string | undefined,
): readonly Delivery[] {
  if (!isKafkaEvent(event) || typeof event.records !== "object" || event.records === null) throw notKafka();
  return Object.values(event.records).flatMap((records) => {
    if (!Array.isArray(records)) throw notKafka();
    const first = records[0] as KafkaEventRecord | undefined;
    if (first === undefined) return [];
    if (!records.every(isKafkaRecord)) throw notKafka();
    const source = sourceOf(first.topic);
    if (source === undefined) {
      throw userError(
        "unknown-topic",
        `The query does not read the topic '${first.topic}'.`,
        "Remove the event source mapping, or add the topic to the query.",
      );
    }
    return [{ source, stream: first.topic, shard: String(first.partition), records: records.map(toRecord) }];
  });
}

const toRecord = ({ offset, timestamp, key, headers, value }: KafkaEventRecord): SourceRecord => {
  const text = value ?? "";
  const record = {
    sequence: String(offset),
    sub: 0,
    data: decodeBase64(text) ?? Buffer.from(text, "utf8"),
    arrival: timestamp,
  };
  return {
    ...record,
    ...(typeof key === "string" ? { partitionKey: key, key: decodeBase64(key) ?? Buffer.from(key, "utf8") } : {}),
    ...(Array.isArray(headers) ? { headers: headersOf(headers) } : {}),
  };
};

const headersOf = (headers: NonNullable<KafkaEventRecord["headers"]>): readonly RecordHeader[] =>
  headers.flatMap((header) =>
    Object.entries(header ?? {}).map(([name, bytes]) => ({ name, value: Uint8Array.from(bytes) })),
  );

const isKafkaRecord = (record: Partial<KafkaEventRecord> | null): boolean =>
  typeof record?.topic === "string" &&
  Number.isInteger(record.partition) &&
  Number.isSafeInteger(record.offset) &&
  Number.isFinite(record.timestamp) &&
  (record.value === null || record.value === undefined || typeof record.value === "string");

const notKafka = () =>
  userError(
    "not-a-kafka-event",
    "The event holds something else than Kafka records.",
    "Connect the function to a Kafka topic by an event source mapping.",
  );
