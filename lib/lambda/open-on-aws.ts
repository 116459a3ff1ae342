import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { dynamodbCheckpointLog } from "../checkpoint/dynamodb-checkpoint-log.js";
import { s3ObjectStore } from "../checkpoint/s3-object-store.js";
import { type ListedSource, listsShards } from "../plan/connectors/catalogue.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import { type OpenOptions, openStreamingQuery } from "../runtime/open-streaming-query.js";
import type { RuntimePorts } from "../runtime/ports.js";
import { sourcesOf } from "../runtime/query-sources.js";
import type { StreamingQuery } from "../runtime/streaming-query.js";
import type { ShardLister } from "../sources/shard-lister.js";
import { type Clients, lazyClients } from "./clients.js";
import type { Environment } from "./environment.js";
import { openFormerSink, openQuerySinks, type SinkWorld } from "./sinks.js";
import { staticTableReader } from "./static-tables.js";

/** What the query says of itself, and by which clock. */
export type Reports = Pick<RuntimePorts, "clock" | "onProgress" | "onIdle" | "listeners" | "onListenerError">;

/** A query on DynamoDB, S3 and Kinesis, as the environment names them. */
export async function openOnAws(
  definition: QueryDefinition,
  environment: Environment,
  reports: Reports,
): Promise<StreamingQuery> {
  const clients = lazyClients(environment.ownEndpoints);
  return openStreamingQuery(definition, await worldOnAws(definition, environment, reports, clients));
}

/** All that a query touches, of one stage or two. */
export async function worldOnAws(
  definition: QueryDefinition,
  environment: Environment,
  reports: Reports,
  clients: Clients,
): Promise<OpenOptions> {
  const { table, bucket, generation, maxStateBytes, streamArns } = environment;
  const { clock } = reports;
  const now = () => clock.now();
  const random = () => Math.random();
  const sleep = (ms: number) => wait(ms);
  const world: SinkWorld = { clients, functions: definition.functions, bucket, random, sleep };
  const [dynamodb, s3, shardListers, sinks] = await Promise.all([
    clients.dynamodb(),
    clients.s3(),
    openShardListers(definition, clients, streamArns, now),
    openQuerySinks(definition, world),
  ]);
  return {
    log: dynamodbCheckpointLog({ client: dynamodb, tableName: table, query: definition.queryName, now }),
    objects: s3ObjectStore(s3, bucket),
    sinks,
    formerSink: (target) => openFormerSink(target, world),
    shardListers,
    ...reports,
    newId: randomUUID,
    random,
    sleep,
    generation,
    readTable: staticTableReader(clients, bucket),
    ...(maxStateBytes === null ? {} : { maxStateBytes }),
  };
}

async function openShardListers(
  { plan }: QueryDefinition,
  clients: Clients,
  arns: Readonly<Record<string, string>>,
  now: () => number,
): Promise<ReadonlyMap<string, ShardLister>> {
  const listers = new Map<string, ShardLister>();
  for (const { name, descriptor } of sourcesOf(plan)) {
    if (listsShards(descriptor) && !listers.has(name))
      listers.set(name, await openShardLister(descriptor, arns[name], clients, now));
  }
  return listers;
}

async function openShardLister(
  source: ListedSource,
  arn: string | undefined,
  clients: Clients,
  now: () => number,
): Promise<ShardLister> {
  switch (source.kind) {
    case "kinesis": {
      const { kinesisShardLister } = await import("../sources/kinesis-shard-lister.js");
      return kinesisShardLister(await clients.kinesis(), arn ?? source.stream, now);
    }
    case "kafka": {
      const { kafkaPartitionLister } = await import("../sources/kafka-partition-lister.js");
      return kafkaPartitionLister(source.partitions!);
    }
  }
}
