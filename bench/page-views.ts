import { columns, count, kinesis, long, memory, readStream, string, sum, timestamp, window } from "../lib/index.js";
import type { OpenOptions } from "../lib/runtime/open-streaming-query.js";
import { memorySink } from "../lib/sinks/memory-sink.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });

export const DELAY_MS = 600_000;

export const pageViews = readStream(kinesis({ stream: "page-views", schema: PageView }))
  .withWatermark("eventTime", "10 minutes")
  .groupBy(window("eventTime", "5 minutes"), "page")
  .agg({ views: count(), dwell: sum("durationMs") })
  .writeStream({ queryName: "bench", outputMode: "append", sink: memory() });

/** All that a query needs but its checkpoint. */
export function portsWithoutCheckpoint(): Omit<OpenOptions, "log" | "objects"> {
  const sink = memorySink();
  let id = 0;
  return {
    sinks: { result: sink, late: sink, malformed: sink },
    shardListers: new Map(),
    clock: { now: () => Date.now() },
    newId: () => `id-${id++}`,
    random: () => 0.5,
    sleep: async () => {},
    onProgress: () => {},
    generation: 1,
  };
}
