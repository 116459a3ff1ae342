import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { highestConsumed, NO_OFFSETS } from "../checkpoint/offsets.js";
import { shardKey } from "../checkpoint/registers.js";
import type { StatePartition } from "../checkpoint/state-partition.js";
import type { QueryDefinition, SourceNode } from "../plan/logical-plan.js";
import type { Row } from "../plan/schema.js";
import type { Clock } from "../runtime/clock.js";
import { openStreamingQuery, type StoredTable } from "../runtime/open-streaming-query.js";
import type { RuntimePorts } from "../runtime/ports.js";
import type { QueryProgress } from "../runtime/progress.js";
import { sourcesOf } from "../runtime/query-sources.js";
import type { OutputSinks } from "../sinks/sink.js";
import { FILE_SHARD, type FileColumns, fileBatches } from "../sources/files.js";
import type { Delivery, SourceRecord } from "../sources/source.js";
import type { Inputs } from "./inputs.js";
import type { Checkpoint } from "./run-checkpoint.js";

interface FileRun {
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
}

/**
 * Runs a query over files, from where its checkpoint stands to the end of the files. A micro-batch takes the next records of every
 * source; where it ends depends on the files and the batch size alone, so that a run in pieces writes what a run in one writes.
 *
 * @throws what a user function threw, after the records before it are committed
 */
export async function runFiles(run: FileRun): Promise<void> {
  const { definition, inputs, readTable, checkpoint, clock, sinks, formerSink, onProgress } = run;
  let partition: StatePartition | undefined;
  const query = await openStreamingQuery(definition, {
    ...checkpoint,
    sinks,
    formerSink,
    shardListers: new Map(),
    clock,
    newId: randomUUID,
    random: Math.random,
    sleep: (ms) => wait(ms),
    onProgress,
    generation: "next",
    readTable,
    wrapPartition(opened) {
      partition = opened;
      return opened;
    },
  });
  await partition!.load();
  const { offsets } = partition!.position();
  const sources = [...new Map(sourcesOf(definition.plan).map((node) => [node.name, node])).values()];
  const readers = sources.map((node) => {
    const consumed = highestConsumed(offsets.get(shardKey(node.name, FILE_SHARD)) ?? NO_OFFSETS);
    return { node, batches: reader(run, node, Number(consumed?.sequence ?? 0)) };
  });
  const read = async (): Promise<readonly Delivery[]> => {
    const deliveries: Delivery[] = [];
    for (const { node, batches } of readers) {
      const { value: records } = await batches.next();
      if (records !== undefined) deliveries.push(deliveryOf(node, inputs, records));
    }
    return deliveries;
  };
  // The next ones are read while these are computed.
  let ahead = read();
  for (let deliveries = await ahead; deliveries.length > 0; deliveries = await ahead) {
    ahead = read();
    ahead.catch(() => undefined);
    const { failure } = await query.processBatch(deliveries);
    if (failure !== undefined) throw failure;
  }
  // What an earlier run committed is published also where nothing was left to read.
  await query.tick();
  if (run.drain) await query.drain();
  // Nothing waits for a next micro-batch that would note it: another run may write elsewhere.
  await partition!.settle?.();
}

async function* reader({ inputs, batchSize, onRead, onColumns }: FileRun, source: SourceNode, skip: number) {
  const { name, schema, descriptor } = source;
  // What a Standard Schema makes of a record may have other names.
  const options = descriptor.kind === "files" ? (descriptor.options ?? {}) : {};
  const told = onColumns === undefined || descriptor.validate !== undefined ? {} : { onColumns };
  for await (const records of fileBatches({ paths: inputs.get(name)!, schema, options, batchSize, skip, ...told })) {
    let bytes = 0;
    for (const { byteLength } of records) bytes += byteLength + 1;
    onRead(bytes);
    yield records;
  }
}

const deliveryOf = ({ name }: SourceNode, inputs: Inputs, records: readonly SourceRecord[]): Delivery => ({
  source: name,
  shard: FILE_SHARD,
  stream: inputs.get(name)!.length === 1 ? inputs.get(name)![0]! : name,
  records,
});
