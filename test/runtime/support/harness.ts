import type { SourceConnector } from "../../../lib/plan/connectors/source-connector.js";
import type { QueryDefinition, QueryOptions } from "../../../lib/plan/logical-plan.js";
import type { PhysicalQuery } from "../../../lib/planner/physical-query.js";
import type { RuntimePorts } from "../../../lib/runtime/ports.js";
import type { QueryProgress } from "../../../lib/runtime/progress.js";
import { type StreamingQuery, streamingQuery } from "../../../lib/runtime/streaming-query.js";
import { type MemorySink, memorySink } from "../../../lib/sinks/memory-sink.js";
import { type MemoryShardLister, memoryShardLister } from "../../../lib/sources/memory-shard-lister.js";
import type { Delivery, RowDecoder, SourceRecord } from "../../../lib/sources/source.js";
import { type FaultyPartition, memoryPartition } from "./memory-partition.js";
import { COUNT_SCHEMA } from "./windowed-count.js";

export interface Harness {
  readonly query: StreamingQuery;
  readonly sink: MemorySink;
  readonly partition: FaultyPartition;
  readonly progress: QueryProgress[];
  readonly clock: { time: number; now: () => number };
  readonly lister: MemoryShardLister;
  /** A new environment over the same checkpoint. */
  restart(): StreamingQuery;
}

export interface HarnessOptions {
  readonly physical: () => PhysicalQuery;
  readonly source?: SourceConnector;
  readonly options?: Partial<QueryOptions>;
  readonly withLister?: boolean;
  readonly decoder?: RowDecoder;
  readonly ports?: Partial<RuntimePorts>;
}

/** A query over memory ports: one source `input`, rows `{ t }` in JSON, a clock that stands still. */
export function harness(options: HarnessOptions): Harness {
  const clock = { time: 1_000_000, now: () => clock.time };
  const sink = memorySink();
  const partition = memoryPartition();
  const progress: QueryProgress[] = [];
  const lister = memoryShardLister(clock.now);
  const ports: RuntimePorts = {
    decoders: new Map([["input", options.decoder ?? jsonDecoder]]),
    shardListers: new Map(options.withLister ? [["input", lister]] : []),
    sinks: { result: sink, late: sink, malformed: sink },
    clock,
    random: () => 0,
    sleep: async () => {},
    onProgress: (record) => progress.push(record),
    ...options.ports,
  };
  const start = (): StreamingQuery =>
    streamingQuery(definition(options), options.physical(), partition, ports, { id: "id", runId: "run" });
  return { query: start(), sink, partition, progress, clock, lister, restart: start };
}

const definition = ({ source = { kind: "memory" }, options }: HarnessOptions): QueryDefinition => ({
  queryName: "q",
  outputMode: "append",
  watermarkPolicy: "min",
  lateRule: "state",
  plan: { kind: "source", name: "input", descriptor: source, schema: COUNT_SCHEMA },
  sink: { kind: "memory" },
  options: { onError: "fail", noDataMicroBatches: true, statePartitions: 1, ...options },
  functions: {},
});

export const jsonDecoder: RowDecoder = (payload) => {
  try {
    return { row: JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown> };
  } catch {
    return { malformed: "not-json", detail: "the payload is not JSON" };
  }
};

export interface RecordSpec {
  readonly t?: number;
  readonly text?: string;
  readonly arrival?: number;
}

/** Records of one shard, numbered from `first` on; a number is a row `{ t }`. */
export const delivery = (shard: string, first: number, specs: readonly (number | RecordSpec)[]): Delivery => ({
  source: "input",
  shard,
  stream: "stream",
  records: specs.map((spec, at): SourceRecord => {
    const { t, text, arrival = null } = typeof spec === "number" ? { t: spec } : spec;
    const payload = text ?? JSON.stringify({ t });
    return { sequence: String(first + at), sub: 0, data: new TextEncoder().encode(payload), arrival };
  }),
});
