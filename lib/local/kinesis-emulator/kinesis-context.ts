import { JsonServiceError } from "../json-service.js";
import type { Shard } from "./shard.js";
import type { Stream, StreamStore } from "./stream-store.js";

/** What the operations share. */
export interface KinesisContext {
  readonly store: StreamStore;
  readonly now: () => number;
  readonly throttle: { admitWrite(shard: Shard, bytes: number): boolean; admitRead(shard: Shard): boolean };
}

export interface StreamName {
  readonly StreamName?: string;
  readonly StreamARN?: string;
}

export const ACCOUNT = "000000000000";
export const streamArn = (name: string): string => `arn:aws:kinesis:us-east-1:${ACCOUNT}:stream/${name}`;

export function findStream({ store }: KinesisContext, { StreamName, StreamARN }: StreamName): Stream {
  const name = StreamName ?? StreamARN?.split("/")[1] ?? "";
  const stream = store.streams.get(name);
  if (!stream) {
    throw new JsonServiceError("ResourceNotFoundException", `Stream ${name} under account ${ACCOUNT} not found.`);
  }
  return stream;
}

export function findShard(stream: Stream, id: string): Shard {
  const shard = stream.shards.find((candidate) => candidate.id === id);
  if (!shard) {
    throw new JsonServiceError(
      "ResourceNotFoundException",
      `Could not find shard ${id} in stream ${stream.name} under account ${ACCOUNT}.`,
    );
  }
  return shard;
}

export const invalidArgument = (message: string): JsonServiceError =>
  new JsonServiceError("InvalidArgumentException", message);
export const validationError = (message: string): JsonServiceError =>
  new JsonServiceError("ValidationException", `1 validation error detected: ${message}`);
export const throughputExceeded = (shard: Shard, stream: Stream): JsonServiceError =>
  new JsonServiceError(
    "ProvisionedThroughputExceededException",
    `Rate exceeded for shard ${shard.id} in stream ${stream.name} under account ${ACCOUNT}.`,
  );
