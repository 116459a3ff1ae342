import { type AppendLog, openAppendLog, replaceLog } from "../append-log.js";
import { createSequenceNumbers, type SequenceNumbers } from "./sequence-numbers.js";
import { firstIndex, type Shard, type ShardRange, type StreamRecord } from "./shard.js";

export interface Stream {
  readonly name: string;
  readonly mode: "PROVISIONED" | "ON_DEMAND";
  /** Epoch ms. */
  readonly created: number;
  readonly shards: Shard[];
  /** In the order of their ranges. */
  open: readonly Shard[];
}

/** Everything that changes a stream is one of these; a restart applies them again. */
type StreamEvent =
  | { readonly op: "create"; readonly stream: Omit<Stream, "shards" | "open">; readonly shards: readonly ShardRange[] }
  | { readonly op: "drop"; readonly name: string }
  | {
      readonly op: "reshard";
      readonly name: string;
      readonly close: readonly Closed[];
      readonly shards: readonly ShardRange[];
    }
  | { readonly op: "records"; readonly name: string; readonly records: readonly PlacedRecord[] };

type Closed = readonly [shardNumber: number, lastSequence: string];
export type PlacedRecord = readonly [shardNumber: number, record: StreamRecord];

export interface StreamStore {
  readonly streams: ReadonlyMap<string, Stream>;
  readonly sequences: SequenceNumbers;
  apply(event: StreamEvent): void;
  close(): void;
}

/** `retentionMs`: older records are forgotten, now and then, when others arrive. */
export function openStreamStore(journalPath: string | undefined, retentionMs: number): StreamStore {
  const streams = new Map<string, Stream>();
  const sequences = createSequenceNumbers();
  let log: AppendLog | undefined;
  if (journalPath !== undefined) {
    let records = 0;
    openAppendLog(journalPath, (bytes) => {
      const event = JSON.parse(bytes.toString("utf8")) as StreamEvent;
      if (event.op === "records") records += event.records.length;
      applyEvent(streams, sequences, event, retentionMs);
    }).close();
    const live = [...streams.values()].flatMap((s) => s.shards).reduce((sum, shard) => sum + shard.records.length, 0);
    if (records > 2 * live) replaceLog(journalPath, snapshot(streams));
    log = openAppendLog(journalPath, () => {});
  }
  return {
    streams,
    sequences,
    apply(event) {
      applyEvent(streams, sequences, event, retentionMs);
      log?.append(encode(event));
    },
    close: () => log?.close(),
  };
}

const encode = (event: StreamEvent): Buffer => Buffer.from(JSON.stringify(event), "utf8");

function applyEvent(
  streams: Map<string, Stream>,
  sequences: SequenceNumbers,
  event: StreamEvent,
  retentionMs: number,
): void {
  if (event.op === "create") {
    const stream: Stream = { ...event.stream, shards: [], open: [] };
    streams.set(stream.name, stream);
    addShards(stream, sequences, event.shards);
    return;
  }
  if (event.op === "drop") {
    streams.delete(event.name);
    return;
  }
  const { shards } = streams.get(event.name)!;
  if (event.op === "reshard") {
    for (const [number, lastSequence] of event.close) shards[number]!.lastSequence = lastSequence;
    addShards(streams.get(event.name)!, sequences, event.shards);
    return;
  }
  for (const [number, record] of event.records) shards[number]!.records.push(record);
  const newest = event.records.at(-1)?.[1];
  if (newest === undefined) return;
  sequences.atLeast(newest.SequenceNumber);
  for (const shard of shards) forget(shard, newest.ApproximateArrivalTimestamp - retentionMs / 1000);
}

function addShards(stream: Stream, sequences: SequenceNumbers, ranges: readonly ShardRange[]): void {
  for (const range of ranges) {
    stream.shards.push({ ...range, records: [] });
    sequences.atLeast(range.firstSequence);
  }
  stream.open = stream.shards
    .filter((shard) => shard.lastSequence === undefined)
    .sort((a, b) => (a.low < b.low ? -1 : 1));
}

/** Amortised: a cut is made only when it frees a quarter of the records. */
function forget({ records }: Shard, before: number): void {
  const quarter = records[records.length >> 2];
  if (quarter === undefined || quarter.ApproximateArrivalTimestamp >= before) return;
  records.splice(
    0,
    firstIndex(records, (record) => record.ApproximateArrivalTimestamp >= before),
  );
}

function* snapshot(streams: ReadonlyMap<string, Stream>): Generator<Uint8Array> {
  for (const { shards, open: _open, ...stream } of streams.values()) {
    yield encode({ op: "create", stream, shards: shards.map(({ records: _, lastSequence: __, ...range }) => range) });
    const close = shards.flatMap((s): Closed[] => (s.lastSequence === undefined ? [] : [[s.number, s.lastSequence]]));
    if (close.length > 0) yield encode({ op: "reshard", name: stream.name, close, shards: [] });
    for (const shard of shards) {
      for (let at = 0; at < shard.records.length; at += 500) {
        const records = shard.records.slice(at, at + 500).map((record): PlacedRecord => [shard.number, record]);
        yield encode({ op: "records", name: stream.name, records });
      }
    }
  }
}
