import { JsonServiceError } from "../json-service.js";
import { compareDigits } from "./digits.js";
import {
  findShard,
  findStream,
  invalidArgument,
  type KinesisContext,
  type StreamName,
  throughputExceeded,
} from "./kinesis-context.js";
import { decodeToken, encodeToken } from "./opaque-token.js";
import { firstAfter, firstIndex, hashKeyRange, type Shard, type StreamRecord } from "./shard.js";
import type { Stream } from "./stream-store.js";

const ITERATOR_LIFE_MS = 300_000;
const MAX_RESPONSE_BYTES = 10 << 20;

/** A place between records, by number, so that it holds over restarts and forgotten records. */
interface Iterator {
  readonly stream: string;
  readonly shard: string;
  readonly after: string;
  readonly issued: number;
}

interface ShardIteratorInput extends StreamName {
  readonly ShardId: string;
  readonly ShardIteratorType: string;
  readonly StartingSequenceNumber?: string;
  /** Epoch seconds. */
  readonly Timestamp?: number;
}

const BEFORE_ALL = "0";

export function getShardIterator(context: KinesisContext, input: ShardIteratorInput): unknown {
  const stream = findStream(context, input);
  const shard = findShard(stream, input.ShardId);
  const after = startingPlace(context, shard, input);
  return { ShardIterator: encodeToken({ stream: stream.name, shard: shard.id, after, issued: context.now() }) };
}

function startingPlace({ store }: KinesisContext, shard: Shard, input: ShardIteratorInput): string {
  const justBefore = (index: number) => shard.records[index - 1]?.SequenceNumber ?? BEFORE_ALL;
  const { StartingSequenceNumber: sequence, Timestamp: seconds } = input;
  switch (input.ShardIteratorType) {
    case "TRIM_HORIZON":
      return BEFORE_ALL;
    case "LATEST":
      return store.sequences.last();
    case "AT_TIMESTAMP":
      if (seconds === undefined)
        throw invalidArgument("Must specify timestamp parameter for iterator of type AT_TIMESTAMP.");
      return justBefore(firstIndex(shard.records, (record) => record.ApproximateArrivalTimestamp >= seconds));
    case "AT_SEQUENCE_NUMBER":
    case "AFTER_SEQUENCE_NUMBER": {
      if (sequence === undefined || !/^\d+$/.test(sequence))
        throw invalidArgument(`StartingSequenceNumber ${sequence} is invalid.`);
      if (input.ShardIteratorType === "AFTER_SEQUENCE_NUMBER") return sequence;
      return justBefore(firstIndex(shard.records, (record) => compareDigits(record.SequenceNumber, sequence) >= 0));
    }
    default:
      throw invalidArgument(`Unknown ShardIteratorType ${input.ShardIteratorType}.`);
  }
}

export function getRecords(
  context: KinesisContext,
  input: { readonly ShardIterator: string; readonly Limit?: number },
): unknown {
  const iterator = decodeToken<Iterator>(input.ShardIterator, "Invalid ShardIterator.");
  const now = context.now();
  if (now - iterator.issued > ITERATOR_LIFE_MS) {
    throw new JsonServiceError("ExpiredIteratorException", "Iterator expired.");
  }
  const stream = findStream(context, { StreamName: iterator.stream });
  const shard = findShard(stream, iterator.shard);
  if (!context.throttle.admitRead(shard)) throw throughputExceeded(shard, stream);
  const { records, next } = page(shard, firstAfter(shard, iterator.after), input.Limit ?? 10_000);
  const after = records.at(-1)?.SequenceNumber ?? iterator.after;
  const waiting = shard.records[next];
  const exhausted = shard.lastSequence !== undefined && waiting === undefined;
  return {
    Records: records,
    // Zero only where nothing waits, even if it arrived in this very millisecond.
    MillisBehindLatest: waiting ? Math.max(1, Math.round(now - waiting.ApproximateArrivalTimestamp * 1000)) : 0,
    ...(exhausted
      ? { ChildShards: childShards(stream, shard) }
      : { NextShardIterator: encodeToken({ ...iterator, after, issued: now }) }),
  };
}

function page(
  shard: Shard,
  from: number,
  limit: number,
): { readonly records: readonly StreamRecord[]; readonly next: number } {
  let next = from;
  let bytes = 0;
  while (next < shard.records.length && next - from < limit) {
    bytes += (shard.records[next]!.Data.length * 3) / 4;
    if (bytes > MAX_RESPONSE_BYTES && next > from) break;
    next += 1;
  }
  return { records: shard.records.slice(from, next), next };
}

const childShards = (stream: Stream, { id }: Shard) =>
  stream.shards
    .filter((shard) => shard.parents.includes(id))
    .map((child) => ({ ShardId: child.id, ParentShards: child.parents, HashKeyRange: hashKeyRange(child) }));
