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

/** What the demo shows while it runs, to a page and to the terminal. */
export interface LivePage {
  /** Of the page; null: none is served. */
  readonly address: string | null;
  readonly feed: PageFeed;
  watch(stack: Stack, job: Job): Promise<QueryWatch>;
  stop(): Promise<void>;
}

/** Its address comes before anything else, so that whoever opens it sees the first window close. A page that cannot be served is told. */
export async function openLivePage(screen: Screen, served: boolean): Promise<LivePage> {
  const feed = pageFeed();
  const watches: QueryWatch[] = [];
  const server = served ? await startPageServer({ feed }).catch((error: Error) => error) : null;
  const page = server instanceof Error ? null : server;
  if (page !== null) screen.line(`Watch it live: ${page.address}`);
  if (server instanceof Error) screen.line(`No live page: ${server.message}`);
  return {
    address: page?.address ?? null,
    feed,
    async watch(stack, job) {
      const watch = await watchJob(stack, job, feed);
      watches.push(watch);
      return watch;
    },
    async stop() {
      for (const watch of watches) watch.stop();
      await page?.stop();
    },
  };
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
