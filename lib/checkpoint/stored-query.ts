import { userError } from "../errors.js";
import type { TableSpec } from "../state/state-store.js";
import type { CheckpointLog } from "./checkpoint-log.js";
import { decodeMeta, type Meta } from "./meta-codec.js";
import type { ObjectStore } from "./object-store.js";
import type { StatePartition } from "./state-partition.js";
import { openStatePartition } from "./state-partition-ring.js";

interface StoredQueryOptions {
  readonly log: CheckpointLog;
  readonly objects: ObjectStore;
  readonly query: string;
  readonly now: () => number;
  readonly newId: () => string;
}

/** A query's checkpoint as somebody reads it who does not run it. */
export interface StoredQuery {
  readonly meta: Meta;
  /** Of the generation that stands, so that looking changes nothing: the running function is not superseded. */
  openPartition(partition: number, tables: readonly TableSpec[]): StatePartition;
  /** Progress records of the entries still in the rings, up to 64 for each partition, oldest first. */
  recentProgress(): Promise<readonly unknown[]>;
}

/** @throws `checkpoint-missing` */
export async function readStoredQuery(options: StoredQueryOptions): Promise<StoredQuery> {
  const { log, query } = options;
  const item = await log.readMeta();
  if (item === null) {
    throw userError(
      "checkpoint-missing",
      `There is no checkpoint of ${query} here.`,
      "Check the query's name and where it is looked for; a query that has never run has none.",
    );
  }
  const meta = decodeMeta(item.body);
  const { incarnation, generation, statePartitions } = meta;
  const openPartition = (partition: number, tables: readonly TableSpec[]) =>
    openStatePartition({ ...options, incarnation, partition, generation, tables });
  return {
    meta,
    openPartition,
    async recentProgress() {
      const records: unknown[] = [];
      for (let partition = 0; partition < statePartitions; partition++)
        records.push(...(await openPartition(partition, []).recentProgress()));
      return records;
    },
  };
}
