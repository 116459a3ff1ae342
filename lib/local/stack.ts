import { type DataDirectory, openDataDirectory } from "./data-directory.js";
import { startDynamoDbEmulator } from "./dynamodb-emulator/dynamodb-emulator.js";
import { startKinesisEmulator } from "./kinesis-emulator/kinesis-emulator.js";
import type { LoopbackServer } from "./loopback-server.js";
import { startS3Emulator } from "./s3-emulator/s3-emulator.js";
import { connectClients, type Endpoints, endpointVariables, type StackClients } from "./stack-clients.js";
import { CHECKPOINT_KEYS, ensureBucket, ensureStream, ensureTable, type TableKeys } from "./stack-resources.js";

export interface StackOptions {
  /** Keeps everything here over restarts and crashes. Absent: in memory, and nothing is left behind. */
  readonly dataDir?: string;
  /** Enforce Kinesis's limits per shard. */
  readonly throttle?: boolean;
}

export interface Stack {
  readonly endpoints: Endpoints;
  /** AWS_ENDPOINT_URL_*, region and credentials, for processes that shall use this stack. */
  readonly variables: Readonly<Record<string, string>>;
  readonly clients: StackClients;
  /** A file in the data directory; null where there is none. */
  dataFile(name: string): string | null;
  /** Returns the stream's ARN. */
  createStream(name: string, shardCount?: number): Promise<string>;
  /** By default with a checkpoint's keys, `pk` and `sk`. */
  createTable(name: string, keys?: TableKeys): Promise<void>;
  createBucket(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Kinesis, DynamoDB and S3 in this process, on ports of 127.0.0.1 that the system chooses. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const directory = options.dataDir === undefined ? null : openDataDirectory(options.dataDir);
  const servers: LoopbackServer[] = [];
  const stopServers = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    directory?.release();
  };
  try {
    servers.push(
      await startKinesisEmulator({ ...journal(directory, "kinesis.log"), throttle: options.throttle ?? false }),
    );
    servers.push(await startDynamoDbEmulator(journal(directory, "dynamodb.log")));
    servers.push(await startS3Emulator(journal(directory, "s3.log")));
  } catch (error) {
    await stopServers();
    throw error;
  }
  const [kinesis, dynamodb, s3] = servers.map((server) => server.endpoint) as [string, string, string];
  const endpoints = { kinesis, dynamodb, s3 };
  const clients = connectClients(endpoints);
  return {
    endpoints,
    variables: endpointVariables(endpoints),
    clients,
    dataFile: (name) => directory?.file(name) ?? null,
    createStream: (name, shardCount = 1) => ensureStream(clients, name, shardCount),
    createTable: (name, keys = CHECKPOINT_KEYS) => ensureTable(clients, name, keys),
    createBucket: (name) => ensureBucket(clients, name),
    async stop() {
      for (const client of Object.values(clients)) client.destroy();
      await stopServers();
    },
  };
}

const journal = (directory: DataDirectory | null, name: string) =>
  directory === null ? {} : { journalPath: directory.file(name) };
