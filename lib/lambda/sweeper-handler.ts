import { randomUUID } from "node:crypto";
import { Logger } from "@aws-lambda-powertools/logger";
import { dynamodbCheckpointLog } from "../checkpoint/dynamodb-checkpoint-log.js";
import { decodeMeta } from "../checkpoint/meta-codec.js";
import { s3ObjectStore } from "../checkpoint/s3-object-store.js";
import { RING_SIZE } from "../checkpoint/state-partition-ring.js";
import { partitionsWithObjects, sweepPartition } from "../checkpoint/sweeper.js";
import { lazyClients } from "./clients.js";
import { ENVIRONMENT, readEnvironment, required } from "./environment.js";

/**
 * The daily sweeper (protocol.md rule 10): deletes the checkpoint objects that crashed attempts left behind more than 48 hours
 * ago. It reads the table and writes nothing to it; whatever it cannot read ends it with nothing deleted.
 *
 * @returns how many objects it deleted
 * @example export const handler = sweeperHandler();
 * @throws `environment-incomplete` without table, bucket or query
 */
export function sweeperHandler(): () => Promise<{ readonly deleted: number }> {
  const logger = new Logger({ serviceName: "tidemark-sweeper" });
  return async () => {
    const { table, bucket, ownEndpoints } = readEnvironment(process.env);
    const query = required(process.env, ENVIRONMENT.sweptQuery);
    const clients = lazyClients(ownEndpoints);
    const now = () => Date.now();
    const log = dynamodbCheckpointLog({ client: await clients.dynamodb(), tableName: table, query, now });
    const objects = s3ObjectStore(await clients.s3(), bucket);
    const item = await log.readMeta();
    if (item === null) return { deleted: 0 };
    const { incarnation } = decodeMeta(item.body);
    let deleted = 0;
    for (const partition of await partitionsWithObjects(objects, query, incarnation)) {
      const swept = await sweepPartition({
        log,
        objects,
        query,
        incarnation,
        partition,
        ringSize: RING_SIZE,
        newId: randomUUID,
      });
      deleted += swept.deleted.length;
    }
    logger.info("swept", { query, deleted });
    return { deleted };
  };
}
