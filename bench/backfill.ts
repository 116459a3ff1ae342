import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { memoryCheckpointLog } from "../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../lib/checkpoint/memory-object-store.js";
import { withFileSources } from "../lib/cli/file-sources.js";
import { runFiles } from "../lib/cli/run-files.js";
import { memorySink } from "../lib/sinks/memory-sink.js";
import type { Figure } from "./figure.js";
import { pageViews } from "./page-views.js";

/** `tidemark run` over the files of a folder, whole process and its start included. */
export async function backfill(folder: string): Promise<readonly Figure[]> {
  const paths = (await readdir(folder)).sort().map((name) => join(folder, name));
  const sink = memorySink();
  await runFiles({
    definition: withFileSources(pageViews.definition),
    inputs: new Map([["page-views", paths]]),
    readTable: async () => [],
    checkpoint: { log: memoryCheckpointLog(Date.now), objects: memoryObjectStore(Date.now) },
    sinks: { result: sink, late: sink, malformed: sink },
    formerSink: async () => sink,
    batchSize: 10_000,
    drain: true,
    clock: { now: () => Date.now() },
    onProgress: () => {},
    onRead: () => {},
  });
  const { user, system } = process.cpuUsage();
  return [{ name: "tidemark run", value: (user + system) / 1e6, unit: "s", budget: null }];
}
