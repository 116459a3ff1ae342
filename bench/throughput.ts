import { memoryCheckpointLog } from "../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../lib/checkpoint/memory-object-store.js";
import { columns, count, kinesis, long, memory, readStream, string, sum, timestamp, window } from "../lib/index.js";
import { openStreamingQuery } from "../lib/runtime/open-streaming-query.js";
import { memorySink } from "../lib/sinks/memory-sink.js";
import { kinesisDeliveries } from "../lib/sources/kinesis-event.js";
import { kinesisEvent } from "./kinesis-events.js";
import { median } from "./measure.js";

const ROWS = 10_000;
const ROUNDS = 40;
const WARM_UP = 8;
const FIRST_SEQUENCE = 49590338271490256608559692538361571095921575989136588898n;

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });

const pageViews = readStream(kinesis({ stream: "page-views", schema: PageView }))
  .withWatermark("eventTime", "10 minutes")
  .groupBy(window("eventTime", "5 minutes"), "page")
  .agg({ views: count(), dwell: sum("durationMs") })
  .writeStream({ queryName: "bench", outputMode: "append", sink: memory() });

export interface Throughput {
  readonly floorMicrosPerRow: number;
  readonly batchMicrosPerRow: number;
  readonly ratio: number;
}

/**
 * A whole micro-batch (decode, passes, staging, commit and publication over in-memory ports) against base64 + JSON.parse of the
 * same records alone, in turn, in CPU time. Each round's event is new to the query, and half a window further on.
 */
export async function throughput(): Promise<Throughput> {
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
  const floor: number[] = [];
  const batch: number[] = [];
  let checksum = 0;
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const at = round + WARM_UP;
    const event = kinesisEvent(at, ROWS, 1_700_000_000_000 + at * 150_000, FIRST_SEQUENCE + BigInt(at) * BigInt(ROWS));
    const floorStart = process.cpuUsage();
    for (const record of event.Records)
      checksum += (JSON.parse(Buffer.from(record.kinesis.data, "base64").toString()) as { durationMs: number })
        .durationMs;
    const floorUsed = process.cpuUsage(floorStart);
    const batchStart = process.cpuUsage();
    await query.processBatch(kinesisDeliveries(event, () => "page-views"));
    const batchUsed = process.cpuUsage(batchStart);
    if (round < 0) continue;
    floor.push((floorUsed.user + floorUsed.system) / ROWS);
    batch.push((batchUsed.user + batchUsed.system) / ROWS);
  }
  if (checksum === 0) throw new Error("The floor parsed nothing.");
  const floorMicrosPerRow = median(floor);
  const batchMicrosPerRow = median(batch);
  return { floorMicrosPerRow, batchMicrosPerRow, ratio: batchMicrosPerRow / floorMicrosPerRow };
}
