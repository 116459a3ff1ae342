import { memoryCheckpointLog } from "../../../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../../../lib/checkpoint/memory-object-store.js";
import type { QueryDefinition } from "../../../lib/plan/logical-plan.js";
import { type OpenOptions, openStreamingQuery } from "../../../lib/runtime/open-streaming-query.js";
import type { QueryProgress } from "../../../lib/runtime/progress.js";
import type { StreamingQuery } from "../../../lib/runtime/streaming-query.js";
import { type MemorySink, memorySink } from "../../../lib/sinks/memory-sink.js";
import { type MemoryShardLister, memoryShardLister } from "../../../lib/sources/memory-shard-lister.js";
import type { Delivery, SourceRecord } from "../../../lib/sources/source.js";

export interface Engine {
  readonly clock: { time: number; now: () => number };
  readonly sink: MemorySink;
  /** Of all environments, in the order of their commits. */
  readonly progress: QueryProgress[];
  readonly lister: MemoryShardLister;
  /** A new environment over the same checkpoint; the definition may have changed. */
  start(definition?: QueryDefinition): Promise<StreamingQuery>;
}

export interface EngineOptions extends Partial<OpenOptions> {
  /** Sources whose shards are listed by `lister`. */
  readonly listed?: readonly string[];
}

/** A query as it runs, over memory: real plan, operators, ring and sinks; a clock that stands still. */
export function engine(definition: QueryDefinition, { listed = [], ...overrides }: EngineOptions = {}): Engine {
  const clock = { time: 1_000_000, now: () => clock.time };
  const log = memoryCheckpointLog(clock.now);
  const objects = memoryObjectStore(clock.now);
  const sink = memorySink();
  const progress: QueryProgress[] = [];
  const lister = memoryShardLister(clock.now);
  let ids = 0;
  return {
    clock,
    sink,
    progress,
    lister,
    start: (changed = definition) =>
      openStreamingQuery(changed, {
        log,
        objects,
        sinks: { result: sink, late: sink, malformed: sink },
        shardListers: new Map(listed.map((source) => [source, lister])),
        clock,
        newId: () => `id-${ids++}`,
        random: () => 0,
        sleep: async () => {},
        onProgress: (record) => progress.push(record),
        generation: "next",
        ...overrides,
      }),
  };
}

export interface Sent {
  readonly [column: string]: unknown;
}

export interface SendOptions {
  readonly source?: string;
  readonly shard?: string;
  /** Epoch ms: of every record, or one each. */
  readonly arrival?: number | readonly number[];
}

/** Rows (or raw payload texts) of one shard, numbered from `first` on. */
export const send = (first: number, rows: readonly (Sent | string)[], options: SendOptions = {}): Delivery => ({
  source: options.source ?? "input",
  shard: options.shard ?? "shard-0",
  stream: "stream",
  records: rows.map((row, at): SourceRecord => {
    const text = typeof row === "string" ? row : JSON.stringify(row);
    const { arrival } = options;
    return {
      sequence: String(first + at),
      sub: 0,
      data: new TextEncoder().encode(text),
      arrival: typeof arrival === "number" ? arrival : (arrival?.[at] ?? null),
    };
  }),
});

/** Seconds since the epoch as TRIALS.md writes times. */
export const seconds = (value: number): string => new Date(value * 1000).toISOString();
