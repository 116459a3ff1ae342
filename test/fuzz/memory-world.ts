import { memoryCheckpointLog } from "../../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../../lib/checkpoint/memory-object-store.js";
import { memorySink } from "../../lib/sinks/memory-sink.js";
import type { Outcome, RunOptions } from "./run-query.js";

/** What every environment of one run opens the query with, one stage or two: memory, and a clock that the run moves. */
export function memoryWorld({ ringSize, declines }: RunOptions) {
  let time = 1_800_000_000_000;
  let ids = 0;
  const now = () => time;
  const sink = memorySink();
  return {
    /** From one invocation to the next. */
    secondPasses: () => {
      time += 1_000;
    },
    outcome: (): Outcome => ({ rows: sink.rows(), late: sink.rows("late").length }),
    options: {
      log: memoryCheckpointLog(now),
      objects: memoryObjectStore(now),
      sinks: { result: sink, late: sink, malformed: sink },
      shardListers: new Map<string, never>(),
      clock: { now },
      newId: () => `id-${ids++}`,
      random: () => 0,
      sleep: async () => {},
      onProgress: () => {},
      generation: "next" as const,
      ringSize,
      ...(declines === undefined ? {} : { declines }),
    },
  };
}
