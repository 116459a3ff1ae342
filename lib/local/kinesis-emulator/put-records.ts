import { createHash } from "node:crypto";
import { toHex } from "./digits.js";
import {
  findStream,
  invalidArgument,
  type KinesisContext,
  type StreamName,
  throughputExceeded,
  validationError,
} from "./kinesis-context.js";
import type { Shard, StreamRecord } from "./shard.js";
import type { PlacedRecord, Stream } from "./stream-store.js";

const MAX_RECORD_BYTES = 1 << 20;
const MAX_REQUEST_BYTES = 5 << 20;
const MAX_RECORDS = 500;

interface PutEntry {
  readonly Data: string;
  readonly PartitionKey: string;
  readonly ExplicitHashKey?: string;
}

type PutOutcome =
  | { readonly SequenceNumber: string; readonly ShardId: string }
  | { readonly ErrorCode: string; readonly ErrorMessage: string };

export function putRecord(context: KinesisContext, input: PutEntry & StreamName): unknown {
  const stream = findStream(context, input);
  const placed: PlacedRecord[] = [];
  checkedSize(input);
  const shard = shardFor(stream, input);
  if (!context.throttle.admitWrite(shard, sizeOf(input))) throw throughputExceeded(shard, stream);
  const outcome = place(context, shard, input, placed);
  context.store.apply({ op: "records", name: stream.name, records: placed });
  return outcome;
}

/** Entries are accepted or refused one by one, as Kinesis does; all that are accepted are applied together. */
export function putRecords(
  context: KinesisContext,
  input: StreamName & { readonly Records: readonly PutEntry[] },
): unknown {
  const stream = findStream(context, input);
  if (input.Records.length < 1 || input.Records.length > MAX_RECORDS) {
    throw validationError(
      `Value at 'records' failed to satisfy constraint: Member must have length between 1 and ${MAX_RECORDS}`,
    );
  }
  let total = 0;
  for (const entry of input.Records) total += checkedSize(entry);
  if (total > MAX_REQUEST_BYTES) throw invalidArgument("Records size exceeds 5 MB limit");
  const placed: PlacedRecord[] = [];
  const outcomes = input.Records.map((entry): PutOutcome => {
    const shard = shardFor(stream, entry);
    if (context.throttle.admitWrite(shard, sizeOf(entry))) return place(context, shard, entry, placed);
    const { type, message } = throughputExceeded(shard, stream);
    return { ErrorCode: type, ErrorMessage: message };
  });
  if (placed.length > 0) context.store.apply({ op: "records", name: stream.name, records: placed });
  return { FailedRecordCount: outcomes.length - placed.length, Records: outcomes };
}

function place(context: KinesisContext, shard: Shard, entry: PutEntry, placed: PlacedRecord[]): PutOutcome {
  const now = context.now();
  const record: StreamRecord = {
    SequenceNumber: context.store.sequences.next(shard.number, now),
    ApproximateArrivalTimestamp: now / 1000,
    PartitionKey: entry.PartitionKey,
    Data: entry.Data,
  };
  placed.push([shard.number, record]);
  return { SequenceNumber: record.SequenceNumber, ShardId: shard.id };
}

const sizeOf = (entry: PutEntry): number => dataBytes(entry.Data) + Buffer.byteLength(entry.PartitionKey);

function dataBytes(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return (base64.length * 3) / 4 - padding;
}

function checkedSize(entry: PutEntry): number {
  if (entry.PartitionKey.length < 1 || entry.PartitionKey.length > 256) {
    throw validationError(
      "Value at 'partitionKey' failed to satisfy constraint: Member must have length between 1 and 256",
    );
  }
  if (dataBytes(entry.Data) > MAX_RECORD_BYTES) {
    throw validationError(
      `Value at 'data' failed to satisfy constraint: Member must have length less than or equal to ${MAX_RECORD_BYTES}`,
    );
  }
  return sizeOf(entry);
}

function shardFor(stream: Stream, entry: PutEntry): Shard {
  const hash =
    entry.ExplicitHashKey === undefined
      ? createHash("md5").update(entry.PartitionKey, "utf8").digest("hex")
      : explicitHash(entry.ExplicitHashKey);
  return stream.open.find((shard) => hash >= shard.low && hash <= shard.high)!;
}

function explicitHash(decimal: string): string {
  const hex = /^(0|[1-9]\d{0,38})$/.test(decimal) ? toHex(BigInt(decimal)) : "";
  if (hex.length !== 32)
    throw invalidArgument(
      `Invalid ExplicitHashKey. ExplicitHashKey must be in the range: [0, 2^128-1]. Specified value was ${decimal}`,
    );
  return hex;
}
