import { Buffer } from "node:buffer";
import { heartbeatPayload } from "../../lib/sources/heartbeat.js";
import type { KinesisEvent } from "../../lib/sources/kinesis-event.js";
import type { MemoryShard } from "../../lib/sources/memory-shard-lister.js";
import { aggregate } from "../sources/kpl-aggregate.js";

export interface SimRow {
  /** Negative: poison. */
  readonly id: number;
  /** Epoch ms. */
  readonly t: number;
  readonly k: string;
}

export const isPoison = ({ id }: { readonly id: number | bigint | null }): boolean => id !== null && id < 0;

/** One user record as it was put; its identity as an object is the record's identity. */
export interface SimRecord {
  readonly stream: string;
  readonly shard: string;
  readonly sequence: string;
  /** Its place in its aggregate. */
  readonly sub: number;
  /** Part of an aggregate, and shares its number with the others in it. */
  readonly packed: boolean;
  readonly arrival: number;
  readonly content: { readonly row: SimRow } | { readonly heartbeat: number } | { readonly malformed: string };
}

export interface SimShard {
  readonly name: string;
  readonly parents: readonly string[];
  readonly records: SimRecord[];
  closed: boolean;
}

/** A Kinesis stream: shards that split and merge, sequence numbers that ascend with gaps. */
export interface SimStream {
  readonly name: string;
  shards: SimShard[];
  put(shard: SimShard, content: SimRecord["content"], arrival: number, gap: number): void;
  /** One Kinesis record with several user records in it. */
  putAggregate(shard: SimShard, contents: readonly SimRecord["content"][], arrival: number, gap: number): void;
  split(shard: SimShard): void;
  merge(a: SimShard, b: SimShard): void;
  open(): readonly SimShard[];
  listed(): readonly MemoryShard[];
  /** Deleted and made again under the same name: the same shard ids, numbers that start again. */
  recreate(): void;
  recreated: boolean;
}

/** Numbers grow a digit within a run: whoever compares them as text loses. */
const FIRST_SEQUENCE = 960;

export function newStream(name: string, shards: number): SimStream {
  let sequence = FIRST_SEQUENCE;
  let names = 0;
  const shard = (parents: readonly string[]): SimShard => ({
    name: `shardId-${String(names++).padStart(4, "0")}`,
    parents,
    records: [],
    closed: false,
  });
  const append = (
    to: SimShard,
    contents: readonly SimRecord["content"][],
    packed: boolean,
    arrival: number,
    gap: number,
  ): void => {
    sequence += gap;
    for (const [sub, content] of contents.entries())
      to.records.push({ stream: name, shard: to.name, sequence: String(sequence), sub, packed, arrival, content });
  };
  const initial = () => Array.from({ length: shards }, () => shard([]));
  const stream: SimStream = {
    name,
    shards: initial(),
    put: (to, content, arrival, gap) => append(to, [content], false, arrival, gap),
    putAggregate: (to, contents, arrival, gap) => append(to, contents, true, arrival, gap),
    split(parent) {
      parent.closed = true;
      stream.shards.push(shard([parent.name]), shard([parent.name]));
    },
    merge(a, b) {
      a.closed = true;
      b.closed = true;
      stream.shards.push(shard([a.name, b.name]));
    },
    open: () => stream.shards.filter(({ closed }) => !closed),
    listed: () =>
      stream.shards.map(({ name: id, parents, records, closed }) => ({
        shard: id,
        parents,
        sequences: records.map((record) => record.sequence),
        closed,
      })),
    recreated: false,
    recreate() {
      stream.recreated = true;
      names = 0;
      sequence = FIRST_SEQUENCE;
      stream.shards = initial();
    },
  };
  return stream;
}

export function payloadOf({ content }: SimRecord): Uint8Array {
  if ("row" in content)
    return Buffer.from(JSON.stringify({ ...content.row, t: new Date(content.row.t).toISOString() }));
  if ("heartbeat" in content) return heartbeatPayload(new Date(content.heartbeat).toISOString());
  return Buffer.from(content.malformed);
}

/** As Lambda hands them over: user records of one number are one Kinesis record. */
export const eventOf = (records: readonly SimRecord[]): KinesisEvent => ({
  Records: records
    .filter(({ sub }) => sub === 0)
    .map((record) => ({
      eventID: `${record.shard}:${record.sequence}`,
      eventSourceARN: `arn:aws:kinesis:eu-central-1:123456789012:stream/${record.stream}`,
      kinesis: {
        sequenceNumber: record.sequence,
        partitionKey: "p",
        data: Buffer.from(record.packed ? aggregateOf(record, records) : payloadOf(record)).toString("base64"),
        approximateArrivalTimestamp: record.arrival / 1000,
      },
    })),
});

const aggregateOf = ({ sequence }: SimRecord, records: readonly SimRecord[]): Uint8Array =>
  aggregate(
    records
      .filter((record) => record.sequence === sequence)
      .map((record) => ({ partitionKey: "p", data: payloadOf(record) })),
  );

/** `first` and `end` moved apart until no aggregate is cut. */
export function wholeRecords(records: readonly SimRecord[], first: number, end: number): readonly SimRecord[] {
  let from = first;
  let to = Math.min(end, records.length);
  while (from > 0 && records[from - 1]!.sequence === records[from]!.sequence) from--;
  while (to < records.length && records[to]!.sequence === records[to - 1]!.sequence) to++;
  return records.slice(from, to);
}
