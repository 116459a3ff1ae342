import { randomUUID } from "node:crypto";
import { dynamodbCheckpointLog } from "../checkpoint/dynamodb-checkpoint-log.js";
import { s3ObjectStore } from "../checkpoint/s3-object-store.js";
import { readStoredQuery } from "../checkpoint/stored-query.js";
import type { QueryProgress } from "../runtime/progress.js";
import { lazyClients } from "./clients.js";
import { ENVIRONMENT, hasOwnEndpoints, required } from "./environment.js";

/** Where a deployed query keeps its checkpoint; the environment's by default, as in the query's own function. */
export interface DeployedQuery {
  readonly queryName: string;
  readonly table?: string;
  readonly bucket?: string;
}

/**
 * The progress records of a deployed query's last commits, up to 64, whichever environment made them, oldest first. Reads only.
 *
 * @example const [last] = (await recentProgress({ queryName: "page-views-5min", table: "tidemark", bucket: "data" })).slice(-1);
 * @throws `checkpoint-missing`, `environment-incomplete`
 */
export async function recentProgress({ queryName, table, bucket }: DeployedQuery): Promise<readonly QueryProgress[]> {
  const clients = lazyClients(hasOwnEndpoints(process.env));
  const now = () => Date.now();
  const tableName = table ?? required(process.env, ENVIRONMENT.table);
  const stored = await readStoredQuery({
    log: dynamodbCheckpointLog({ client: await clients.dynamodb(), tableName, query: queryName, now }),
    objects: s3ObjectStore(await clients.s3(), bucket ?? required(process.env, ENVIRONMENT.bucket)),
    query: queryName,
    now,
    newId: randomUUID,
  });
  return (await stored.recentProgress()) as readonly QueryProgress[];
}

/** The newest of them; null: the query has committed nothing yet. */
export const lastProgress = async (query: DeployedQuery): Promise<QueryProgress | null> =>
  (await recentProgress(query)).at(-1) ?? null;
