import { JsonServiceError, startJsonService } from "../json-service.js";
import type { LoopbackServer } from "../loopback-server.js";
import { getRecords, getShardIterator } from "./get-records.js";
import type { KinesisContext } from "./kinesis-context.js";
import { listShards } from "./list-shards.js";
import { putRecord, putRecords } from "./put-records.js";
import { mergeShards, splitShard, updateShardCount } from "./reshard.js";
import { openStreamStore } from "./stream-store.js";
import { createStream, deleteStream, describeStream, describeStreamSummary, listStreams } from "./streams.js";
import { createThrottle } from "./throttle.js";

export interface KinesisEmulatorOptions {
  /** A log file: streams survive a killed process. Absent: in memory only. */
  readonly journalPath?: string;
  /** Enforce a shard's 1,000 records and 1 MB written and 5 reads per second. Off by default. */
  readonly throttle?: boolean;
  /** Epoch ms, for arrival times and sequence numbers. */
  readonly now?: () => number;
  /** 24 hours by default. */
  readonly retentionMs?: number;
}

// biome-ignore lint/suspicious/noExplicitAny: each operation declares the input that the client library shapes for it.
type Operation = (context: KinesisContext, input: any) => unknown;

const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  Object.entries({
    CreateStream: createStream,
    DeleteStream: deleteStream,
    DescribeStream: describeStream,
    DescribeStreamSummary: describeStreamSummary,
    GetRecords: getRecords,
    GetShardIterator: getShardIterator,
    ListShards: listShards,
    ListStreams: listStreams,
    MergeShards: mergeShards,
    PutRecord: putRecord,
    PutRecords: putRecords,
    SplitShard: splitShard,
    UpdateShardCount: updateShardCount,
  } satisfies Record<string, Operation>),
);

/** Kinesis Data Streams on loopback: shards with lineage, real hash ranges, no enhanced fan-out. */
export async function startKinesisEmulator(options: KinesisEmulatorOptions = {}): Promise<LoopbackServer> {
  const now = options.now ?? Date.now;
  const store = openStreamStore(options.journalPath, options.retentionMs ?? 24 * 3_600_000);
  const context: KinesisContext = { store, now, throttle: createThrottle(options.throttle ?? false, now) };
  const server = await startJsonService("1.1", (name, input) => {
    const operation = OPERATIONS.get(name);
    if (!operation) throw new JsonServiceError("UnknownOperationException", name);
    return operation(context, input);
  });
  return {
    endpoint: server.endpoint,
    async stop() {
      await server.stop();
      store.close();
    },
  };
}
