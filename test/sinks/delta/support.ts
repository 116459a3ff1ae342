import type { OutputMode } from "../../../lib/plan/logical-plan.js";
import type { Row, Schema } from "../../../lib/plan/schema.js";
import { readDataFile } from "../../../lib/sinks/delta/data-file.js";
import { type DeltaSinkOptions, deltaSink } from "../../../lib/sinks/delta/delta-sink.js";
import type { LogStore } from "../../../lib/sinks/delta/log-store.js";
import { memoryLogStore } from "../../../lib/sinks/delta/memory-log-store.js";
import { readSnapshot } from "../../../lib/sinks/delta/snapshot.js";
import type { OutputBatch, PublishIdentity } from "../../../lib/sinks/sink.js";

export const SCHEMA: Schema = {
  fields: [
    { name: "page", type: "string", nullable: true },
    { name: "views", type: "long", nullable: true },
    { name: "at", type: "timestamp", nullable: true },
  ],
};

export const ARRIVAL = Date.UTC(2024, 0, 2);

export const batchOf = (
  rows: readonly Row[],
  outputMode: OutputMode = "append",
  schema: Schema = SCHEMA,
): OutputBatch => ({ output: "result", rows, schema, outputMode, timeColumn: "at", arrival: ARRIVAL });

export const identity = (batchId: number, more: Partial<PublishIdentity> = {}): PublishIdentity => ({
  query: "views",
  incarnation: "1704067200000",
  partition: 0,
  batchId,
  ...more,
});

/** A sink over memory, and the table as a reader of the log finds it. */
export function table(options: Partial<DeltaSinkOptions> = {}) {
  const store = options.store ?? memoryLogStore();
  const sink = deltaSink({
    store,
    path: "tables/views",
    partitionBy: [],
    key: [],
    mergeSchema: false,
    sleep: async () => {},
    random: () => 0,
    ...options,
  });
  const write = (batchId: number, batch: OutputBatch, more: Partial<PublishIdentity> = {}) =>
    sink.publish(identity(batchId, more), sink.stage(batch));
  return { store, sink, write, snapshot: () => readSnapshot(store, ROOT), rows: () => tableRows(store) };
}

export const ROOT = "tables/views/";

/** The rows of the table's newest version, as stored, in the order of its files. */
export async function tableRows(store: LogStore): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { path, partitionValues } of (await readSnapshot(store, ROOT)).files.values())
    for (const row of await readDataFile((await store.get(`${ROOT}${path}`))!))
      rows.push({ ...row, ...partitionValues });
  return rows;
}
