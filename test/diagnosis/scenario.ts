import { memoryCheckpointLog } from "../../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../../lib/checkpoint/memory-object-store.js";
import type { StatePartition } from "../../lib/checkpoint/state-partition.js";
import { diagnose } from "../../lib/diagnosis/diagnose.js";
import type { FailedRecord, Finding } from "../../lib/diagnosis/finding.js";
import type { Query } from "../../lib/index.js";
import { openStreamingQuery } from "../../lib/runtime/open-streaming-query.js";
import type { QueryProgress } from "../../lib/runtime/progress.js";
import { sourcesOf } from "../../lib/runtime/query-sources.js";
import type { StreamingQuery } from "../../lib/runtime/streaming-query.js";
import { memorySink } from "../../lib/sinks/memory-sink.js";
import type { Sink } from "../../lib/sinks/sink.js";
import { type MemoryShardLister, memoryShardLister } from "../../lib/sources/memory-shard-lister.js";

export const START = Date.UTC(2024, 2, 1, 12);

/** A query that runs on memory ports under a clock that the scenario moves: its real plan, runtime and checkpoint. */
export interface Scenario {
  readonly clock: { time: number };
  readonly listers: Readonly<Record<string, MemoryShardLister>>;
  /** One invocation with the records of one shard, arrived now; a failure of the sink is heard by nobody. */
  send(place: string, rows: readonly (object | string)[], timeoutMs?: number): Promise<void>;
  tick(): Promise<void>;
  recent(): Promise<readonly QueryProgress[]>;
  diagnose(): Promise<readonly Finding[]>;
}

interface ScenarioOptions {
  /** By source, the shards that are listed from the start. */
  readonly shards: Readonly<Record<string, readonly string[]>>;
  readonly result?: Sink;
  readonly wrapPartition?: (partition: StatePartition) => StatePartition;
}

export async function scenario({ definition }: Query, options: ScenarioOptions): Promise<Scenario> {
  const clock = { time: START, now: () => clock.time };
  const sink = memorySink();
  const listers = Object.fromEntries(
    Object.entries(options.shards).map(([source, shards]) => [
      source,
      memoryShardLister(
        clock.now,
        shards.map((shard) => ({ shard, parents: [], sequences: [] })),
      ),
    ]),
  );
  let ids = 0;
  const query: StreamingQuery = await openStreamingQuery(definition, {
    log: memoryCheckpointLog(clock.now),
    objects: memoryObjectStore(clock.now),
    sinks: { result: options.result ?? sink, late: sink, malformed: sink },
    shardListers: new Map(Object.entries(listers)),
    clock,
    newId: () => `id-${ids++}`,
    random: () => 0,
    sleep: async () => {},
    onProgress: () => {},
    generation: 1,
    ...(options.wrapPartition === undefined ? {} : { wrapPartition: options.wrapPartition }),
  });
  const failedRecords: FailedRecord[] = [];
  const sequences = new Map<string, number>();
  const [only] = sourcesOf(definition.plan);

  const self: Scenario = {
    clock,
    listers,
    async send(place, rows, timeoutMs) {
      const [source, shard] = place.includes("/") ? (place.split("/") as [string, string]) : [only!.name, place];
      const first = sequences.get(place) ?? 1;
      const records = rows.map((row, index) => ({
        sequence: String(first + index),
        sub: 0,
        data: new TextEncoder().encode(typeof row === "string" ? row : JSON.stringify(row)),
        arrival: clock.time,
      }));
      const deadline = timeoutMs === undefined ? null : { at: clock.time + timeoutMs, reserveMs: timeoutMs / 10 };
      const outcome = await query
        .processBatch([{ source, shard, stream: source, records }], deadline)
        .catch(() => null);
      if (outcome?.failure === undefined) sequences.set(place, first + rows.length);
      else failedRecords.push(outcome.unprocessed[0]!);
    },
    async tick() {
      await query.tick().catch(() => null);
    },
    recent: () => query.recentProgress(),
    diagnose: async () => diagnose({ progress: await self.recent(), now: clock.time, failedRecords }),
  };
  return self;
}

/** Ten rows, a second apart, the last one `agoMs` old. */
export const rows = (now: number, agoMs = 0, more: object = {}): readonly object[] =>
  Array.from({ length: 10 }, (_, index) => ({
    at: new Date(now - agoMs - (9 - index) * 1000).toISOString(),
    page: `/${index % 3}`,
    ...more,
  }));
