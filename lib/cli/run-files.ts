import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { highestConsumed, NO_OFFSETS } from "../checkpoint/offsets.js";
import { shardKey } from "../checkpoint/registers.js";
import type { StatePartition } from "../checkpoint/state-partition.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import { onePartition } from "../plan/partitioning/one-partition.js";
import type { Row } from "../plan/schema.js";
import type { Clock } from "../runtime/clock.js";
import { openStreamingQuery, type StoredTable } from "../runtime/open-streaming-query.js";
import type { RuntimePorts } from "../runtime/ports.js";
import type { QueryProgress } from "../runtime/progress.js";
import type { OutputSinks } from "../sinks/sink.js";
import { FILE_SHARD, type FileColumns } from "../sources/files.js";
import { fileDeliveries } from "./file-deliveries.js";
import type { Inputs } from "./inputs.js";
import type { Checkpoint } from "./run-checkpoint.js";

export interface FileRun {
  /** With file sources. */
  readonly definition: QueryDefinition;
  readonly inputs: Inputs;
  /** Of tables that are not part of the query. */
  readonly readTable: (table: StoredTable) => Promise<readonly Row[]>;
  readonly checkpoint: Checkpoint;
  readonly sinks: OutputSinks;
  readonly formerSink: NonNullable<RuntimePorts["formerSink"]>;
  /** Records per source and micro-batch. */
  readonly batchSize: number;
  /** Closes what is open when all is read. */
  readonly drain: boolean;
  readonly clock: Clock;
  readonly onProgress: (progress: QueryProgress) => void;
  /** Of every file that names its columns. */
  readonly onColumns?: (columns: FileColumns) => void;
  /** Bytes of payload that were read, those of an earlier run included. */
  readonly onRead: (bytes: number) => void;
  /** Between two micro-batches: all that was read is committed, and nothing more is. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a query over files, from where its checkpoint stands to the end of the files. A micro-batch takes the next records of every
 * source; where it ends depends on the files and the batch size alone, so that a run in pieces writes what a run in one writes.
 *
 * @returns false where it was interrupted before the end
 * @throws what a user function threw, after the records before it are committed
 */
export async function runFiles(run: FileRun): Promise<boolean> {
  const { definition, signal } = run;
  const { query, partition } = await openFileQuery(run);
  const { offsets } = partition.position();
  const skip = (name: string) =>
    Number(highestConsumed(offsets.get(shardKey(name, FILE_SHARD)) ?? NO_OFFSETS)?.sequence ?? 0);
  for await (const deliveries of fileDeliveries({ ...run, plan: definition.plan, skip })) {
    if (signal?.aborted === true) break;
    const { failure } = await query.processBatch(deliveries);
    if (failure !== undefined) throw failure;
  }
  // What an earlier run committed is published also where nothing was left to read.
  await query.tick();
  const isWhole = signal?.aborted !== true;
  if (run.drain && isWhole) await query.drain();
  // Nothing waits for a next micro-batch that would note it: another run may write elsewhere.
  await partition.settle?.();
  return isWhole;
}

/** The query with its state loaded, in a world that has no shards to list. */
export async function openFileQuery(
  run: Pick<FileRun, "definition" | "checkpoint" | "sinks" | "formerSink" | "clock" | "onProgress" | "readTable">,
) {
  const { definition, checkpoint, ...ports } = run;
  let partition: StatePartition | undefined;
  const query = await openStreamingQuery(onePartition(definition), {
    ...checkpoint,
    sinks: ports.sinks,
    formerSink: ports.formerSink,
    clock: ports.clock,
    onProgress: ports.onProgress,
    readTable: ports.readTable,
    shardListers: new Map(),
    newId: randomUUID,
    random: Math.random,
    sleep: (ms) => wait(ms),
    generation: "next",
    wrapPartition(opened) {
      partition = opened;
      return opened;
    },
  });
  await partition!.load();
  return { query, partition: partition! };
}
