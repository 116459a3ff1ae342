import type { CheckpointLog } from "../checkpoint/checkpoint-log.js";
import { memoryCheckpointLog } from "../checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../checkpoint/memory-object-store.js";
import type { ObjectStore } from "../checkpoint/object-store.js";
import { userError } from "../errors.js";
import { listsShards } from "../plan/connectors/catalogue.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import { onePartition } from "../plan/partitioning/one-partition.js";
import type { Row } from "../plan/schema.js";
import type { StreamingQueryListener } from "../runtime/listener.js";
import { openStreamingQuery, type StoredTable } from "../runtime/open-streaming-query.js";
import { sourcesOf } from "../runtime/query-sources.js";
import type { StreamingQuery } from "../runtime/streaming-query.js";
import { jsonText } from "../sinks/json-lines.js";
import { type MemorySink, memorySink } from "../sinks/memory-sink.js";
import type { OutputName } from "../sinks/sink.js";
import { memoryShardLister } from "../sources/memory-shard-lister.js";
import type { SourceRecord } from "../sources/source.js";
import { decodeTableRows } from "../sources/table-lines.js";
import { Crash, type CrashStep, crashingPartition } from "./crash.js";
import { type ManualClock, manualClock } from "./manual-clock.js";

/** Where rows are sent: a source, and one of its shards. */
export interface Place {
  readonly source: string;
  readonly shard: string;
}

/** A query as it runs, over memory: real plan, operators, checkpoint and decoders; a clock that stands still. */
export interface TestBench {
  readonly clock: ManualClock;
  readonly sink: MemorySink;
  readonly log: CheckpointLog;
  readonly objects: ObjectStore;
  definition(): QueryDefinition;
  /** Batch ids up to this one were checked already, per output. */
  readonly checked: Map<OutputName, number>;
  /** Sends records, behind those of the shard that are not consumed yet, as one micro-batch. */
  deliver(place: Place, payloads: readonly Uint8Array[], arrival: number | null): Promise<void>;
  /** Runs one invocation; if a crash was ordered, the environment dies in it and another one repeats it. */
  invoke<T>(call: (query: StreamingQuery) => Promise<T>): Promise<T>;
  crashAfter(step: CrashStep): void;
  restart(definition?: QueryDefinition): Promise<void>;
}

interface BenchOptions {
  readonly startAt: number;
  /** Every place that the script sends to: the shards that the sources list from the start. */
  readonly places: readonly Place[];
  /** Rows of fixed tables that are not part of the query, by the table's name. */
  readonly tables: Readonly<Record<string, readonly object[]>>;
  readonly listeners?: readonly StreamingQueryListener[];
}

export function testBench(
  first: QueryDefinition,
  { startAt, places, tables, listeners = [] }: BenchOptions,
): TestBench {
  const clock = manualClock(startAt);
  const log = memoryCheckpointLog(clock.now);
  const objects = memoryObjectStore(clock.now);
  const sink = memorySink();
  const sent = new Map<string, number>();
  const backlog = new Map<string, readonly SourceRecord[]>();
  let definition = first;
  let running: Promise<StreamingQuery> | null = null;
  let ordered: CrashStep | null = null;
  let ids = 0;

  const crashIsDue = (step: CrashStep): boolean => {
    if (ordered !== step) return false;
    ordered = null;
    return true;
  };
  const listers = () =>
    new Map(
      sourcesOf(definition.plan)
        .filter(({ descriptor }) => listsShards(descriptor))
        .map(({ name }) => {
          const shards = places.filter(({ source }) => source === name).map(({ shard }) => shard);
          // Whatever was sent was delivered: a probe finds every shard caught up.
          const listed = [...new Set(shards)].map((shard) => ({ shard, parents: [], sequences: [] }));
          return [name, memoryShardLister(clock.now, listed)] as const;
        }),
    );
  const start = () =>
    openStreamingQuery(onePartition(definition), {
      log,
      objects,
      sinks: { result: sink, late: sink, malformed: sink },
      shardListers: listers(),
      clock,
      newId: () => `id-${ids++}`,
      random: () => 0,
      sleep: async () => {},
      onProgress: () => {},
      listeners,
      onListenerError: (error) => {
        throw error;
      },
      generation: "next",
      readTable: async (table) => tableRows(table, tables),
      wrapPartition: (partition) => crashingPartition(partition, crashIsDue),
    });

  async function invoke<T>(call: (query: StreamingQuery) => Promise<T>): Promise<T> {
    const wanted = ordered;
    running ??= start();
    try {
      const result = await call(await running);
      if (wanted !== null) throw crashNotReached(wanted);
      return result;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      running = start();
      return await call(await running);
    }
  }

  return {
    clock,
    sink,
    log,
    objects,
    checked: new Map(),
    definition: () => definition,
    invoke,
    async deliver(place, payloads, arrival) {
      const key = JSON.stringify([place.source, place.shard]);
      const before = sent.get(key) ?? 0;
      sent.set(key, before + payloads.length);
      const fresh = payloads.map((data, at) => ({ sequence: String(before + at + 1), sub: 0, data, arrival }));
      const records = [...(backlog.get(key) ?? []), ...fresh];
      backlog.set(key, records);
      const outcome = await invoke((query) => query.processBatch([{ ...place, stream: place.source, records }]));
      const from = outcome.unprocessed[0]?.sequence;
      backlog.set(key, from === undefined ? [] : records.filter(({ sequence }) => BigInt(sequence) >= BigInt(from)));
      if (outcome.failure !== undefined) throw outcome.failure;
    },
    crashAfter(step) {
      ordered = step;
    },
    async restart(changed = definition) {
      definition = changed;
      running = start();
      await running;
    },
  };
}

/** Read as the rows of a table in S3 are. */
function tableRows({ name, descriptor, schema }: StoredTable, tables: BenchOptions["tables"]): readonly Row[] {
  if (Object.hasOwn(tables, name))
    return decodeTableRows(
      name,
      tables[name]!.map((row) => jsonText(row)),
      schema,
    );
  throw userError(
    "table-kind",
    `The table "${name}" stands in ${descriptor.kind}, which a test does not read.`,
    `Give its rows: testStream(query, actions, { tables: { ${JSON.stringify(name)}: […] } }).`,
  );
}

const crashNotReached = (step: CrashStep) =>
  userError(
    "crash-not-reached",
    `The invocation ended without passing the step '${step}'.`,
    "Put crashAfter() before an action that commits something.",
  );
