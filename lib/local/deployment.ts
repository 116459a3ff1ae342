import { ENVIRONMENT } from "../lambda/environment.js";
import { type EventSourceMapping, startEventSourceMapping } from "./event-source-mapping/event-source-mapping.js";
import type { FailureRecord } from "./event-source-mapping/failure-record.js";
import type { MappingSettings } from "./event-source-mapping/mapping-options.js";
import type { LambdaEnvironment } from "./lambda-environment.js";
import type { Stack } from "./stack.js";

export interface DeploymentOptions {
  readonly stack: Stack;
  readonly name: string;
  /** Existing streams of the stack that the query reads. */
  readonly streams: readonly string[];
  /** Of a query with several state partitions: the stream between its stages, read by the same function. */
  readonly shuffleStream?: string;
  /** Usually a `functionPool`; stopped with the deployment. */
  readonly function: LambdaEnvironment;
  readonly mapping?: MappingSettings;
  /** 60,000 by default, as deployed; 0: only when `tick` is called. */
  readonly tickMs?: number;
  readonly onFailure?: (record: FailureRecord) => void;
  /** Failed ticks, errors of polling. */
  readonly onError?: (error: unknown) => void;
}

/** A query's function with what AWS would put around it: a mapping per stream, and the tick. */
export interface Deployment {
  tick(): Promise<void>;
  drain(): Promise<void>;
  /** All that was in the streams at the call is processed. */
  whenCaughtUp(): Promise<void>;
  stop(): Promise<void>;
}

interface QueryResources {
  readonly table: string;
  readonly bucket: string;
  /** The stream between the stages of a query with several state partitions. */
  readonly shuffle?: { readonly stream: string; readonly shards: number };
}

/** Makes the query's table and bucket, and returns the variables with which its function finds them. */
export async function createQueryResources(
  stack: Stack,
  { table, bucket, shuffle }: QueryResources,
): Promise<Readonly<Record<string, string>>> {
  await stack.createTable(table);
  await stack.createBucket(bucket);
  if (shuffle !== undefined) await stack.createStream(shuffle.stream, shuffle.shards);
  return {
    ...stack.variables,
    [ENVIRONMENT.table]: table,
    [ENVIRONMENT.bucket]: bucket,
    ...(shuffle === undefined ? {} : { [ENVIRONMENT.shuffleStream]: shuffle.stream }),
  };
}

export async function deployQuery(options: DeploymentOptions): Promise<Deployment> {
  const { stack, name, onError = () => {}, tickMs = 60_000 } = options;
  const startMapping = (streamName: string): Promise<EventSourceMapping> => {
    const checkpointPath = stack.dataFile(`mapping-${name}-${streamName}.log`);
    return startEventSourceMapping({
      // What the checkpoint protocol asks of a mapping (rule 4): reported failures, no bisecting.
      reportBatchItemFailures: true,
      bisectBatchOnFunctionError: false,
      ...options.mapping,
      kinesis: stack.clients.kinesis,
      streamName,
      functionName: name,
      invoke: (event) => options.function.invoke(event),
      onError,
      ...(options.onFailure ? { onFailure: options.onFailure } : {}),
      ...(checkpointPath === null ? {} : { checkpointPath }),
    });
  };
  // Whoever reads the shuffle stream is there before the first record comes to it.
  const { shuffleStream } = options;
  const shuffled = shuffleStream === undefined ? null : await startMapping(shuffleStream);
  const mappings: EventSourceMapping[] = [];
  for (const streamName of options.streams) mappings.push(await startMapping(streamName));
  const command = async (tidemark: "tick" | "drain"): Promise<void> => {
    await options.function.invoke({ tidemark });
    await shuffled?.whenCaughtUp();
  };
  // A tick that is due while one runs is left out: on a busy machine they would pile up and starve the records.
  let ticking = false;
  const tickIfFree = async () => {
    if (ticking) return;
    ticking = true;
    await command("tick").catch(onError);
    ticking = false;
  };
  const timer = tickMs > 0 ? setInterval(() => void tickIfFree(), tickMs) : undefined;
  return {
    tick: () => command("tick"),
    drain: () => command("drain"),
    async whenCaughtUp() {
      await Promise.all(mappings.map((mapping) => mapping.whenCaughtUp()));
      await shuffled?.whenCaughtUp();
    },
    async stop() {
      clearInterval(timer);
      await Promise.all([...mappings, ...(shuffled === null ? [] : [shuffled])].map((mapping) => mapping.stop()));
      await options.function.stop();
    },
  };
}
