import { JsonServiceError } from "../json-service.js";
import { HIGHEST_HASH_KEY, hexBelow, rangeStart, toHex } from "./digits.js";
import { ACCOUNT, findStream, type KinesisContext, type StreamName, streamArn } from "./kinesis-context.js";
import { describeShard, type ShardRange, shardId } from "./shard.js";
import type { Stream } from "./stream-store.js";

interface CreateStreamInput {
  readonly StreamName: string;
  readonly ShardCount?: number;
  readonly StreamModeDetails?: { readonly StreamMode: Stream["mode"] };
}

const ON_DEMAND_SHARDS = 4;

export function createStream({ store, now }: KinesisContext, input: CreateStreamInput): unknown {
  const name = input.StreamName;
  if (store.streams.has(name)) {
    throw new JsonServiceError("ResourceInUseException", `Stream ${name} under account ${ACCOUNT} already exists.`);
  }
  const mode = input.StreamModeDetails?.StreamMode ?? "PROVISIONED";
  const count = input.ShardCount ?? ON_DEMAND_SHARDS;
  const shards = Array.from({ length: count }, (_, number): ShardRange => {
    const high = number + 1 === count ? HIGHEST_HASH_KEY : hexBelow(toHex(rangeStart(number + 1, count)));
    const firstSequence = store.sequences.next(number, now());
    return { id: shardId(number), number, low: toHex(rangeStart(number, count)), high, parents: [], firstSequence };
  });
  store.apply({ op: "create", stream: { name, mode, created: now() }, shards });
  return {};
}

export function deleteStream(context: KinesisContext, input: StreamName): unknown {
  const { name } = findStream(context, input);
  context.store.apply({ op: "drop", name });
  return {};
}

export function listStreams({ store }: KinesisContext): unknown {
  return { StreamNames: [...store.streams.keys()].sort(), HasMoreStreams: false };
}

export function describeStreamSummary(context: KinesisContext, input: StreamName): unknown {
  return { StreamDescriptionSummary: summary(findStream(context, input)) };
}

export function describeStream(context: KinesisContext, input: StreamName): unknown {
  const stream = findStream(context, input);
  return { StreamDescription: { ...summary(stream), Shards: stream.shards.map(describeShard), HasMoreShards: false } };
}

function summary(stream: Stream) {
  return {
    StreamName: stream.name,
    StreamARN: streamArn(stream.name),
    StreamStatus: "ACTIVE",
    StreamModeDetails: { StreamMode: stream.mode },
    RetentionPeriodHours: 24,
    StreamCreationTimestamp: stream.created / 1000,
    EnhancedMonitoring: [{ ShardLevelMetrics: [] }],
    EncryptionType: "NONE",
    OpenShardCount: stream.open.length,
    ConsumerCount: 0,
  };
}
