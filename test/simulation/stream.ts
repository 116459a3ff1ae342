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
  readonly stream: string;
  /** Shards of different streams have the same names. */
  readonly name: string;
  readonly parents: readonly string[];
  readonly records: SimRecord[];
  closed: boolean;
  closedAt: number;
}

/** Kinesis streams that are read together: shards that split and merge, sequence numbers that ascend with gaps. */
export interface SimStream {
  readonly names: readonly string[];
  /** Of all streams. */
  shards: SimShard[];
  put(shard: SimShard, content: SimRecord["content"], arrival: number, gap: number): void;
  /** One Kinesis record with several user records in it; with none it is a malformed record itself. */
  putAggregate(shard: SimShard, contents: readonly SimRecord["content"][], arrival: number, gap: number): void;
  split(shard: SimShard): void;
  merge(a: SimShard, b: SimShard): void;
  open(): readonly SimShard[];
  /** A shard that closed long ago is forgotten, once it was read: what expires unread is lost, which is not what is tried here. */
  listed(name: string, wasRead: ReadonlySet<SimRecord>): readonly MemoryShard[];
  /** Deleted and made again under the same names: the same shard ids, numbers that start again. */
  recreate(): void;
  recreated: boolean;
}

/** Numbers grow a digit within a run: whoever compares them as text loses. */
const FIRST_SEQUENCE = 960;

const RETENTION_MS = 24 * 3_600_000;

export function newStream(names: readonly string[], shards: number, now: () => number): SimStream {
  const counters = new Map<string, { sequence: number; shards: number }>();
  const shard = (of: string, parents: readonly string[]): SimShard => ({
    stream: of,
    name: `shardId-${String(counters.get(of)!.shards++).padStart(4, "0")}`,
    parents,
    records: [],
    closed: false,
    closedAt: Number.POSITIVE_INFINITY,
  });
  const close = (closing: SimShard): void => {
    closing.closed = true;
    closing.closedAt = now();
  };
  const append = (
    to: SimShard,
    contents: readonly SimRecord["content"][],
    packed: boolean,
    arrival: number,
    gap: number,
  ): void => {
    const counter = counters.get(to.stream)!;
    counter.sequence += gap;
    const place = { stream: to.stream, shard: to.name, sequence: String(counter.sequence) };
    const users = contents.length === 0 ? [{ malformed: "" }] : contents;
    for (const [sub, content] of users.entries()) to.records.push({ ...place, sub, packed, arrival, content });
  };
  const initial = () =>
    names.flatMap((name) => {
      counters.set(name, { sequence: FIRST_SEQUENCE, shards: 0 });
      return Array.from({ length: shards }, () => shard(name, []));
    });
  const stream: SimStream = {
    names,
    shards: initial(),
    put: (to, content, arrival, gap) => append(to, [content], false, arrival, gap),
    putAggregate: (to, contents, arrival, gap) => append(to, contents, true, arrival, gap),
    split(parent) {
      close(parent);
      for (let i = 0; i < 2; i++) stream.shards.push(shard(parent.stream, [parent.name]));
    },
    merge(a, b) {
      close(a);
      close(b);
      stream.shards.push(shard(a.stream, [a.name, b.name]));
    },
    open: () => stream.shards.filter(({ closed }) => !closed),
    listed: (name, wasRead) =>
      stream.shards
        .filter((listed) => listed.stream === name)
        .filter(({ closedAt, records }) => now() - closedAt < RETENTION_MS || !records.every((one) => wasRead.has(one)))
        .map(({ name: id, parents, records, closed }) => ({
          shard: id,
          parents,
          sequences: records.filter(({ sub }) => sub === 0).map(({ sequence }) => sequence),
          users: Object.fromEntries(records.map(({ sequence, sub }) => [sequence, sub + 1])),
          closed,
        })),
    recreated: false,
    recreate() {
      stream.recreated = true;
      stream.shards = initial();
    },
  };
  return stream;
}

export const labelOf = ({ stream, name }: SimShard): string => `${stream}/${name}`;

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
      .map((record) => ({ partitionKey: "p", data: payloadOf(record) }))
      .filter(({ data }) => data.byteLength > 0),
  );

/** `first` and `end` moved apart until no aggregate is cut. */
export function wholeRecords(records: readonly SimRecord[], first: number, end: number): readonly SimRecord[] {
  let from = first;
  let to = Math.min(end, records.length);
  while (from > 0 && records[from - 1]!.sequence === records[from]!.sequence) from--;
  while (to < records.length && records[to]!.sequence === records[to - 1]!.sequence) to++;
  return records.slice(from, to);
}
