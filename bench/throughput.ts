import { memoryCheckpointLog } from "../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../lib/checkpoint/memory-object-store.js";
import { columns, count, kinesis, long, memory, readStream, string, sum, timestamp, window } from "../lib/index.js";
import type { SourceNode } from "../lib/plan/logical-plan.js";
import { planQuery } from "../lib/planner/plan-query.js";
import { feed } from "../lib/runtime/feed.js";
import { decodeDeliveries } from "../lib/runtime/micro-batch-input.js";
import { openStreamingQuery } from "../lib/runtime/open-streaming-query.js";
import { sourcesOf } from "../lib/runtime/query-sources.js";
import { sourceDecoder } from "../lib/runtime/source-decoder.js";
import { sourcePolicy } from "../lib/runtime/source-policy.js";
import { memorySink } from "../lib/sinks/memory-sink.js";
import { type KinesisEvent, kinesisDeliveries } from "../lib/sources/kinesis-event.js";
import { memoryState } from "../lib/state/staged-state.js";
import { kinesisEvent } from "./kinesis-events.js";
import { median } from "./measure.js";

const ROWS = 10_000;
const ROUNDS = 40;
const WARM_UP = 10;
const BASE = 1_700_000_000_000;
/** Half a window: each round's rows are new windows and old ones in equal parts. */
const STEP_MS = 150_000;
const DELAY_MS = 600_000;
const FIRST_SEQUENCE = 49590338271490256608559692538361571095921575989136588898n;

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });

const pageViews = readStream(kinesis({ stream: "page-views", schema: PageView }))
  .withWatermark("eventTime", "10 minutes")
  .groupBy(window("eventTime", "5 minutes"), "page")
  .agg({ views: count(), dwell: sum("durationMs") })
  .writeStream({ queryName: "bench", outputMode: "append", sink: memory() });

export interface Throughput {
  readonly floorMicrosPerRow: number;
  readonly engineMicrosPerRow: number;
  readonly batchMicrosPerRow: number;
}

type Candidate = (event: KinesisEvent, round: number) => void | Promise<void>;

/** CPU time per row, medians over rounds, the three taken in turn on the same genuine Kinesis event; a round's event is new to all. */
export async function throughput(): Promise<Throughput> {
  const candidates: readonly Candidate[] = [parseFloor(), engine(), await wholeBatch()];
  const samples = candidates.map(() => [] as number[]);
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const event = kinesisEvent(round, ROWS, BASE + round * STEP_MS, FIRST_SEQUENCE + BigInt(round * ROWS));
    for (const [i, candidate] of candidates.entries()) {
      const start = process.cpuUsage();
      await candidate(event, round);
      const used = process.cpuUsage(start);
      if (round >= WARM_UP) samples[i]!.push((used.user + used.system) / ROWS);
    }
  }
  const [floorMicrosPerRow, engineMicrosPerRow, batchMicrosPerRow] = samples.map(median) as [number, number, number];
  return { floorMicrosPerRow, engineMicrosPerRow, batchMicrosPerRow };
}

/** base64 and JSON.parse of every record, and nothing else. */
function parseFloor(): Candidate {
  let checksum = 0;
  return ({ Records }) => {
    for (const { kinesis } of Records) {
      const row = JSON.parse(Buffer.from(kinesis.data, "base64").toString()) as { durationMs: number };
      checksum += row.durationMs;
    }
    if (checksum === 0) throw new Error("The floor parsed nothing.");
  };
}

/** From the event to updated and evicted windows: decode, data pass, follow-up pass, state applied. */
function engine(): Candidate {
  const { definition } = pageViews;
  const query = planQuery(definition);
  const node = sourcesOf(definition.plan)[0] as SourceNode;
  const decoders = new Map([[node.name, sourceDecoder(node, definition)]]);
  const policies = new Map([[node.name, sourcePolicy(node.descriptor)]]);
  const state = memoryState();
  let evict = Number.NEGATIVE_INFINITY;
  let closed = 0;
  return (event, round) => {
    const input = decodeDeliveries(
      query.sources,
      decoders,
      kinesisDeliveries(event, () => node.name),
    );
    const staged = state.stage();
    const selection = { input, consumed: new Uint8Array(ROWS), rejected: new Map(), limit: ROWS };
    const late = evict;
    query.beginPass({ watermarkForLateEvents: late, watermarkForEviction: late, processingTime: 0, state: staged });
    feed(
      query.sources,
      policies,
      selection,
      () => false,
      (source, chunk) => query.process(source, chunk),
    );
    const { observations } = query.endPass();
    evict = Math.max(evict, Math.floor(observations[0]!.maxEventTime) - DELAY_MS);
    query.beginPass({ watermarkForLateEvents: late, watermarkForEviction: evict, processingTime: 0, state: staged });
    const { output } = query.endPass();
    closed += output.length;
    if (round === WARM_UP && closed === 0) throw new Error("No window closed.");
    state.commit(staged);
  };
}

/** All eight steps over in-memory ports: the log entry is encoded and the output compressed as they would be for AWS. */
async function wholeBatch(): Promise<Candidate> {
  const now = () => Date.now();
  const sink = memorySink();
  let id = 0;
  const query = await openStreamingQuery(pageViews.definition, {
    log: memoryCheckpointLog(now),
    objects: memoryObjectStore(now),
    sinks: { result: sink, late: sink, malformed: sink },
    shardListers: new Map(),
    clock: { now },
    newId: () => `id-${id++}`,
    random: () => 0.5,
    sleep: async () => {},
    onProgress: () => {},
    generation: 1,
  });
  return async (event) => {
    const { progress } = await query.processBatch(kinesisDeliveries(event, () => "page-views"));
    if (progress?.numInputRows !== ROWS) throw new Error("Not all rows were read.");
  };
}
