import { Buffer, isUtf8 } from "node:buffer";
import type { MetadataName } from "../plan/connectors/source-connector.js";
import type { Field } from "../plan/schema.js";
import type { SourceRecord } from "./source.js";

/** What is known of a record beside its bytes. */
export interface RecordMetadata {
  /** The stream, the topic, or the file. */
  readonly stream: string;
  /** The shard; of Kafka the partition's number. */
  readonly shard: string;
  /** Decimal digits: the sequence number, the offset, or the ordinal over all files. */
  readonly sequence: string;
  /** The number inside an aggregate of the Kinesis Producer Library, else 0. */
  readonly sub: number;
  /** Epoch ms: when it came to the stream, or Kafka's timestamp; null in files. */
  readonly arrival: number | null;
  /** Of Kinesis. */
  readonly partitionKey: string | null;
  /** Of Kafka. */
  readonly key: Uint8Array | null;
  /** Of Kafka, in their order. */
  readonly headers: readonly RecordHeader[];
}

export interface RecordHeader {
  readonly name: string;
  readonly value: Uint8Array;
}

/** Where a record was delivered. */
export interface RecordPlace {
  readonly stream: string;
  readonly shard: string;
}

/** Of rows that are read where nobody asks for the place of their record. */
export const NOWHERE: RecordPlace = Object.freeze({ stream: "", shard: "" });

export const metadataOf = (record: SourceRecord, { stream, shard }: RecordPlace): RecordMetadata => ({
  stream,
  shard,
  sequence: record.sequence,
  sub: record.sub,
  arrival: record.arrival,
  partitionKey: record.partitionKey ?? null,
  key: record.key ?? null,
  headers: record.headers ?? [],
});

interface MetadataColumn {
  readonly type: Field["type"];
  readonly value: (metadata: RecordMetadata) => unknown;
}

const text = (bytes: Uint8Array | null): string | null => {
  if (bytes === null) return null;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? buffer.toString("utf8") : null;
};

/** What may stand in a column of the query. Offsets and Kafka's partitions are whole numbers; text that is no UTF-8 is null. */
export const METADATA = {
  stream: { type: "string", value: ({ stream }) => stream },
  topic: { type: "string", value: ({ stream }) => stream },
  shard: { type: "string", value: ({ shard }) => shard },
  partition: { type: "int", value: ({ shard }) => (/^\d{1,9}$/.test(shard) ? Number(shard) : null) },
  sequence: { type: "string", value: ({ sequence }) => sequence },
  offset: { type: "long", value: ({ sequence }) => (Number.isSafeInteger(Number(sequence)) ? Number(sequence) : null) },
  arrival: { type: "timestamp", value: ({ arrival }) => arrival },
  timestamp: { type: "timestamp", value: ({ arrival }) => arrival },
  partitionKey: { type: "string", value: ({ partitionKey }) => partitionKey },
  key: { type: "string", value: ({ key }) => text(key) },
  headers: {
    type: "json",
    value: ({ headers }) => Object.fromEntries(headers.map(({ name, value }) => [name, text(value)])),
  },
} as const satisfies Readonly<Record<MetadataName, MetadataColumn>>;
