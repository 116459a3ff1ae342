import { internalError } from "../errors.js";
import type { Row } from "../plan/schema.js";
import type { PhysicalSource } from "../planner/physical-query.js";
import type { Delivery, MalformedRecord, MalformedRow, Position, RowDecoder, SourceRecord } from "../sources/source.js";
import type { EventTime } from "../time/event-time.js";
import { type DecodedRecords, decodeRecords } from "./decode-records.js";

/** The clock is read, and the batch may be cut, between chunks of this many records. */
export const CHUNK_RECORDS = 1_000;

/** Where in the micro-batch the records of one delivery stand: from `first` to before `end`. */
interface DeliveryRange {
  readonly delivery: Delivery;
  readonly first: number;
  readonly end: number;
  /** Of `CHUNK_RECORDS` records each, from `first` on. */
  readonly chunks: readonly DecodedRecords[];
}

/** One record of the micro-batch with its delivery. */
interface InputRecord {
  readonly delivery: Delivery;
  readonly record: SourceRecord;
}

/**
 * All deliveries of one invocation, decoded once: a repeat after a lost race starts from here. Columns by record, whose index is the
 * origin of its row: an object around each record would double what the garbage collector carries.
 */
export interface MicroBatchInput {
  /** In the order in which they are consumed: by source, then by delivery. */
  readonly ranges: readonly DeliveryRange[];
  readonly records: readonly SourceRecord[];
  /** By record: 1 where it was decoded, to however many rows; one that is malformed or a heartbeat was not. */
  readonly isDecoded: Uint8Array;
  readonly malformed: ReadonlyMap<number, MalformedRow>;
  readonly heartbeats: ReadonlyMap<number, EventTime>;
  /** Arrival, made never to go back within a shard; null entries where the source has none. */
  readonly arrivals: readonly (number | null)[];
}

export function decodeDeliveries(
  sources: readonly PhysicalSource[],
  decoders: ReadonlyMap<string, RowDecoder>,
  deliveries: readonly Delivery[],
): MicroBatchInput {
  const ranges: DeliveryRange[] = [];
  const records: SourceRecord[] = [];
  const isDecoded = new Uint8Array(deliveries.reduce((sum, delivery) => sum + delivery.records.length, 0));
  const malformed = new Map<number, MalformedRow>();
  const heartbeats = new Map<number, EventTime>();
  const arrivals: (number | null)[] = [];
  const names = [...new Set(sources.map(({ name }) => name))];
  const ordered = [...deliveries].sort((a, b) => names.indexOf(a.source) - names.indexOf(b.source));
  for (const delivery of ordered) {
    const decode = decoders.get(delivery.source);
    if (decode === undefined || !names.includes(delivery.source))
      throw internalError(
        "source-unknown",
        `A delivery names the source "${delivery.source}", which the query has not.`,
      );
    const first = records.length;
    const chunks: DecodedRecords[] = [];
    for (let at = 0; at < delivery.records.length; at += CHUNK_RECORDS) {
      const chunk = decodeRecords(decode, delivery.records.slice(at, at + CHUNK_RECORDS), delivery);
      chunks.push(chunk);
      if (chunk.answered.length === CHUNK_RECORDS) isDecoded.fill(1, first + at, first + at + CHUNK_RECORDS);
      else for (const record of chunk.answered) isDecoded[first + at + record] = 1;
      for (const [record, fault] of chunk.malformed) malformed.set(first + at + record, fault);
      for (const [record, time] of chunk.heartbeats) heartbeats.set(first + at + record, time);
    }
    let newest: number | null = null;
    for (let at = 0; at < delivery.records.length; at++) {
      const record = delivery.records[at]!;
      records.push(record);
      newest = record.arrival === null ? null : Math.max(newest ?? record.arrival, record.arrival);
      arrivals.push(newest);
    }
    ranges.push({ delivery, first, end: records.length, chunks });
  }
  return { ranges, records, isDecoded, malformed, heartbeats, arrivals };
}

/** The record of an origin, with its delivery. Costs a look at every delivery: for the few records that are written as such. */
export function inputRecord({ ranges, records }: MicroBatchInput, at: number): InputRecord | undefined {
  const range = ranges.find(({ first, end }) => first <= at && at < end);
  return range === undefined ? undefined : { delivery: range.delivery, record: records[at]! };
}

/** A record that its source must send again. */
export interface Unprocessed extends Position {
  readonly source: string;
  readonly shard: string;
}

/** Of every delivery that is not consumed to its end, the first record left. */
export function firstLeft(input: MicroBatchInput, stoppedAt: number): readonly Unprocessed[] {
  const left: Unprocessed[] = [];
  for (const { delivery, first, end } of input.ranges) {
    if (end <= stoppedAt) continue;
    const record = input.records[Math.max(first, stoppedAt)]!;
    left.push({ source: delivery.source, shard: delivery.shard, sequence: record.sequence, sub: record.sub });
  }
  return left;
}

/** Of the records before `limit`; null where none has an arrival. */
export function newestArrival({ arrivals }: MicroBatchInput, limit: number): number | null {
  let newest: number | null = null;
  for (let at = 0; at < limit; at++) {
    const arrival = arrivals[at] ?? null;
    if (arrival !== null && (newest === null || arrival > newest)) newest = arrival;
  }
  return newest;
}

/** What a record that yields no row leaves in the malformed output. */
export const malformedRecord = (
  { delivery, record }: InputRecord,
  reason: string,
  detail: string,
  row?: Row,
): MalformedRecord => ({
  source: delivery.source,
  stream: delivery.stream,
  shard: delivery.shard,
  sequence: record.sequence,
  sub: record.sub,
  arrival: record.arrival,
  reason,
  detail,
  payload: { base64: Buffer.from(record.data).toString("base64"), ...(row === undefined ? {} : { row }) },
});
