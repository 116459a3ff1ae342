import { randomUUID } from "node:crypto";
import { dynamodbCheckpointLog } from "../checkpoint/dynamodb-checkpoint-log.js";
import { s3ObjectStore } from "../checkpoint/s3-object-store.js";
import { readStoredQuery, type StoredQuery } from "../checkpoint/stored-query.js";
import { lazyClients } from "../lambda/clients.js";
import { ENVIRONMENT, hasOwnEndpoints } from "../lambda/environment.js";
import { UsageError } from "./command.js";
import { type Checkpoint, directoryCheckpoint } from "./run-checkpoint.js";

interface Whereabouts {
  readonly checkpoint?: string | undefined;
  readonly table?: string | undefined;
  readonly bucket?: string | undefined;
}

export const WHEREABOUTS = {
  checkpoint: { type: "string" },
  table: { type: "string" },
  bucket: { type: "string" },
} as const;

export const WHEREABOUTS_HELP = `  --checkpoint DIR   of 'tidemark run --checkpoint DIR'
  --table NAME       the DynamoDB table of a deployed query; TIDEMARK_TABLE by default
  --bucket NAME      its bucket; TIDEMARK_BUCKET by default. Region, credentials and AWS_ENDPOINT_URL as for the AWS CLI
`;

/** @throws `checkpoint-missing` */
export async function findStoredQuery(
  query: string,
  where: Whereabouts,
  env: Readonly<Record<string, string | undefined>>,
): Promise<StoredQuery> {
  const now = () => Date.now();
  const { log, objects } = await openCheckpoint(query, where, env, now);
  return readStoredQuery({ log, objects, query, now, newId: randomUUID });
}

async function openCheckpoint(
  query: string,
  where: Whereabouts,
  env: Readonly<Record<string, string | undefined>>,
  now: () => number,
): Promise<Checkpoint> {
  if (where.checkpoint !== undefined) return directoryCheckpoint(where.checkpoint, now);
  const table = where.table ?? env[ENVIRONMENT.table];
  if (table === undefined) throw new UsageError("Say where: --checkpoint DIR, or --table NAME and --bucket NAME.");
  const bucket = where.bucket ?? env[ENVIRONMENT.bucket];
  if (bucket === undefined) throw new UsageError("--table needs --bucket NAME, or TIDEMARK_BUCKET.");
  const clients = lazyClients(hasOwnEndpoints(env));
  return {
    log: dynamodbCheckpointLog({ client: await clients.dynamodb(), tableName: table, query, now }),
    objects: s3ObjectStore(await clients.s3(), bucket),
  };
}
