import { randomUUID } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { dynamodbCheckpointLog } from "../lib/checkpoint/dynamodb-checkpoint-log.js";
import { s3ObjectStore } from "../lib/checkpoint/s3-object-store.js";
import { readStoredQuery } from "../lib/checkpoint/stored-query.js";
import { loadQuery } from "../lib/cli/load-query.js";
import { outputLook } from "../lib/cli/watch/output-look.js";
import { type QueryWatch, watchQuery } from "../lib/cli/watch/query-watch.js";
import { windowLook } from "../lib/cli/watch/window-look.js";
import type { Stack } from "../lib/local/stack.js";
import { type PageFeed, pageFeed } from "../lib/ui/page-feed.js";
import { startPageServer } from "../lib/ui/page-server.js";
import type { Job } from "./job.js";
import { BUCKET, TABLE } from "./run-job.js";
import type { Screen } from "./screen.js";

/** The page of the demo: its address comes before anything else, so that whoever opens it sees the first window close. */
export interface LivePage {
  readonly address: string;
  readonly feed: PageFeed;
  watch(stack: Stack, job: Job): Promise<QueryWatch>;
  stop(): Promise<void>;
}

/** Null: it cannot be served, and the screen says why. */
export async function openLivePage(screen: Screen): Promise<LivePage | null> {
  const feed = pageFeed();
  const watches: QueryWatch[] = [];
  try {
    const server = await startPageServer({ feed });
    screen.line(`Watch it live: ${server.address}`);
    return {
      address: server.address,
      feed,
      async watch(stack, job) {
        const watch = await watchJob(stack, job, feed);
        watches.push(watch);
        return watch;
      },
      async stop() {
        for (const watch of watches) watch.stop();
        await server.stop();
      },
    };
  } catch (error) {
    screen.line(`No live page: ${(error as Error).message}`);
    return null;
  }
}

async function watchJob(stack: Stack, job: Job, feed: PageFeed): Promise<QueryWatch> {
  const { definition } = await loadQuery(job.queryFile, job.queryName);
  const now = () => Date.now();
  const storeOf = (bucket: string) => s3ObjectStore(stack.clients.s3, bucket);
  const { AWS_REGION: region = "us-east-1" } = stack.variables;
  const client = new DynamoDBClient({
    region,
    endpoint: stack.endpoints.dynamodb,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  const log = dynamodbCheckpointLog({ client, tableName: TABLE, query: job.queryName, now });
  const stored = () => readStoredQuery({ log, objects: storeOf(BUCKET), query: job.queryName, now, newId: randomUUID });
  return watchQuery({
    definition,
    title: job.title,
    feed,
    outputs: outputLook({ query: job.queryName, sink: definition.sink, bucket: BUCKET, storeOf }),
    windows: windowLook(definition, stored),
  });
}
