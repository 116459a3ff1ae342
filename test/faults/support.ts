import { gunzipSync } from "node:zlib";
import { PutRecordsCommand } from "@aws-sdk/client-kinesis";
import { dynamodbCheckpointLog } from "../../lib/checkpoint/dynamodb-checkpoint-log.js";
import { decodeMeta } from "../../lib/checkpoint/meta-codec.js";
import { s3ObjectStore } from "../../lib/checkpoint/s3-object-store.js";
import { ENVIRONMENT } from "../../lib/lambda/environment.js";
import { type HandledQuery, queryHandler } from "../../lib/lambda/query-handler.js";
import { createQueryResources, type Deployment, deployQuery } from "../../lib/local/deployment.js";
import type { FailureRecord } from "../../lib/local/event-source-mapping/failure-record.js";
import type { MappingSettings } from "../../lib/local/event-source-mapping/mapping-options.js";
import { type FaultProxy, startFaultProxy } from "../../lib/local/fault-proxy.js";
import { functionPool } from "../../lib/local/function-pool.js";
import {
  inProcessEnvironment,
  type LambdaEnvironment,
  type LambdaHandler,
} from "../../lib/local/lambda-environment.js";
import { type Stack, startStack } from "../../lib/local/stack.js";
import { connectClients, type Endpoints, endpointVariables, type StackClients } from "../../lib/local/stack-clients.js";
import { CHECKPOINT_KEYS, ensureBucket, ensureStream, ensureTable } from "../../lib/local/stack-resources.js";

export type Service = keyof Endpoints;

export const START = Date.UTC(2026, 0, 1);

export interface FaultWorld {
  readonly stack: Stack;
  /** Between function and service; the mapping reads Kinesis through its own too. */
  readonly proxies: { readonly kinesis: FaultProxy; readonly dynamodb: FaultProxy; readonly s3: FaultProxy };
  /** What a function finds the proxied stack with. */
  readonly variables: Readonly<Record<string, string>>;
  /** In this process, unless `environment` makes others; several environments at once, as Lambda does. */
  deploy(query: HandledQuery, options?: DeployOptions): Promise<Deployment>;
  /** Everything under `out/<folder>/`, by line. */
  output(folder: string): Promise<readonly Record<string, unknown>[]>;
  /** Batch ids that stand in the ring, ascending. */
  committed(query: string): Promise<readonly number[]>;
  stop(): Promise<void>;
}

export interface DeployOptions extends MappingSettings {
  readonly environments?: number;
  readonly environment?: () => LambdaEnvironment;
  readonly tickMs?: number;
  readonly onFailure?: (record: FailureRecord) => void;
  /** What an invocation threw. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Sets this process's environment as the function's: one world at a time. `serviceAt`: services of one's own, which may move;
 * everything, the test's own calls included, goes through the proxies then.
 */
export async function startFaultWorld(shards: number, serviceAt?: (service: Service) => string): Promise<FaultWorld> {
  const embedded = await startStack();
  const targetOf = (service: Service) => () => serviceAt?.(service) ?? embedded.endpoints[service];
  const [kinesisProxy, dynamodb, s3Proxy] = await Promise.all([
    startFaultProxy({ target: targetOf("kinesis"), seed: 1 }),
    startFaultProxy({ target: targetOf("dynamodb"), seed: 2 }),
    startFaultProxy({ target: targetOf("s3"), seed: 3 }),
  ]);
  const proxies = { kinesis: kinesisProxy, dynamodb, s3: s3Proxy };
  const endpoints = { kinesis: kinesisProxy.endpoint, dynamodb: dynamodb.endpoint, s3: s3Proxy.endpoint };
  const clients = connectClients(endpoints, { maxAttempts: 5 });
  const stack = serviceAt === undefined ? embedded : stackOver(embedded, endpoints, clients);
  const variables = {
    ...(await createQueryResources(stack, { table: "checkpoint", bucket: "data" })),
    ...endpointVariables(endpoints),
    [ENVIRONMENT.generation]: "1",
    POWERTOOLS_METRICS_DISABLED: "true",
    POWERTOOLS_LOG_LEVEL: "SILENT",
  };
  Object.assign(process.env, variables);
  await stack.createStream("readings", shards);
  const objects = s3ObjectStore(stack.clients.s3, "data");
  const deployments: Deployment[] = [];
  return {
    stack,
    proxies,
    variables,
    async deploy(query, { environments = 3, environment, tickMs = 0, onFailure, onError, ...mapping } = {}) {
      const inProcess = () => inProcessEnvironment(queryHandler(query) as unknown as LambdaHandler);
      const make = () => heard((environment ?? inProcess)(), onError);
      const deployment = await deployQuery({
        stack: { ...stack, clients },
        name: query.definition.queryName,
        streams: ["readings"],
        function: functionPool(make, { concurrency: environments }),
        mapping: { batchSize: 50, pollMs: 10, backoffMs: 10, ...mapping },
        tickMs,
        ...(onFailure ? { onFailure } : {}),
      });
      deployments.push(deployment);
      return deployment;
    },
    async output(folder) {
      const lines: Record<string, unknown>[] = [];
      for await (const { key } of objects.list(`out/${folder}/`)) lines.push(...parse((await objects.get(key))!));
      return lines;
    },
    async committed(query) {
      const client = stack.clients.dynamodb;
      const log = dynamodbCheckpointLog({ client, tableName: "checkpoint", query, now: Date.now });
      const meta = await log.readMeta();
      if (meta === null) return [];
      const at = { incarnation: decodeMeta(meta.body).incarnation, partition: 0 };
      const slots = Array.from({ length: 64 }, (_, slot) => slot);
      const items = await log.readSlots(at, slots);
      return items.flatMap((item) => (item === null ? [] : [item.batchId])).sort((a, b) => a - b);
    },
    async stop() {
      await Promise.all(deployments.map((deployment) => deployment.stop()));
      for (const client of Object.values(clients)) client.destroy();
      await Promise.all(Object.values(proxies).map((proxy) => proxy.stop()));
      await embedded.stop();
    },
  };
}

const stackOver = (embedded: Stack, endpoints: Endpoints, clients: StackClients): Stack => ({
  ...embedded,
  endpoints,
  clients,
  variables: endpointVariables(endpoints),
  createStream: (name, shardCount = 1) => ensureStream(clients, name, shardCount),
  createTable: (name, keys = CHECKPOINT_KEYS) => ensureTable(clients, name, keys),
  createBucket: (name) => ensureBucket(clients, name),
});

const heard = (environment: LambdaEnvironment, onError: (error: unknown) => void = () => {}): LambdaEnvironment => ({
  ...environment,
  invoke: (event) =>
    environment.invoke(event).catch((error: unknown) => {
      onError(error);
      throw error;
    }),
});

const parse = (bytes: Uint8Array): Record<string, unknown>[] =>
  gunzipSync(bytes)
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const MAX_CALL_BYTES = 4_000_000;

/** Payloads in order, in as few calls as Kinesis allows, spread over the shards by `keyOf`. */
export async function put(
  stack: Stack,
  payloads: readonly (string | Uint8Array)[],
  keyOf = (at: number) => `k${at}`,
): Promise<void> {
  let Records: { PartitionKey: string; Data: Buffer }[] = [];
  let bytes = 0;
  const send = async () => {
    if (Records.length > 0)
      await stack.clients.kinesis.send(new PutRecordsCommand({ StreamName: "readings", Records }));
    Records = [];
    bytes = 0;
  };
  for (const [at, payload] of payloads.entries()) {
    const Data = Buffer.from(payload as string);
    if (Records.length === 500 || bytes + Data.length > MAX_CALL_BYTES) await send();
    Records.push({ PartitionKey: keyOf(at), Data });
    bytes += Data.length;
  }
  await send();
}

export interface ExpectedCounts {
  readonly payloads: readonly string[];
  /** `window device` → `count total`, by hand. */
  readonly groups: Readonly<Record<string, string>>;
}

/** Readings a second apart, over seven devices. */
export function someReadings(from: number, number: number, before: ExpectedCounts["groups"] = {}): ExpectedCounts {
  const groups = new Map(Object.entries(before));
  const payloads = Array.from({ length: number }, (_, i) => {
    const at = from + i;
    const eventTime = START + at * 1000;
    const device = `d${at % 7}`;
    const key = `${new Date(Math.floor(eventTime / 60_000) * 60_000).toISOString()} ${device}`;
    const [readings = 0, total = 0] = groups.get(key)?.split(" ").map(Number) ?? [];
    groups.set(key, `${readings + 1} ${total + at}`);
    return JSON.stringify({ eventTime: new Date(eventTime).toISOString(), device, value: at });
  });
  return { payloads, groups: Object.fromEntries(groups) };
}

/** The output in the same form; a group that came twice is named, and so equals nothing that is expected. */
export function groupsOf(lines: readonly Record<string, unknown>[]): Readonly<Record<string, string>> {
  const groups = new Map<string, string>();
  for (const line of lines) {
    const { window, device, readings, total } = line as {
      window: { start: string };
      device: string;
      readings: number;
      total: number;
    };
    const key = `${new Date(window.start).toISOString()} ${device}`;
    groups.set(groups.has(key) ? `${key} came twice` : key, `${readings} ${total}`);
  }
  return Object.fromEntries(groups);
}
