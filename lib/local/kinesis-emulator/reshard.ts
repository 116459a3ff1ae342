import { JsonServiceError } from "../json-service.js";
import { hexAbove, hexBelow, rangeStart, toHex } from "./digits.js";
import {
  findShard,
  findStream,
  invalidArgument,
  type KinesisContext,
  type StreamName,
  streamArn,
} from "./kinesis-context.js";
import { type Shard, type ShardRange, shardId } from "./shard.js";
import type { Stream } from "./stream-store.js";

export function splitShard(
  context: KinesisContext,
  input: StreamName & { readonly ShardToSplit: string; readonly NewStartingHashKey: string },
): unknown {
  const stream = findStream(context, input);
  const shard = openShard(stream, input.ShardToSplit);
  const middle = toHex(BigInt(input.NewStartingHashKey));
  if (middle <= shard.low || middle >= shard.high) {
    throw invalidArgument(
      `NewStartingHashKey ${input.NewStartingHashKey} used in SplitShard() is not inside shard ${shard.id}.`,
    );
  }
  split(context, stream, shard, middle);
  return {};
}

export function mergeShards(
  context: KinesisContext,
  input: StreamName & { readonly ShardToMerge: string; readonly AdjacentShardToMerge: string },
): unknown {
  const stream = findStream(context, input);
  const first = openShard(stream, input.ShardToMerge);
  const second = openShard(stream, input.AdjacentShardToMerge);
  const [lower, upper] = first.low < second.low ? [first, second] : [second, first];
  if (lower === upper || hexAbove(lower.high) !== upper.low) {
    throw invalidArgument(
      `Shards ${first.id} and ${second.id} in stream ${stream.name} are not an adjacent pair of shards.`,
    );
  }
  merge(context, stream, first, second);
  return {};
}

/** To equal ranges: cut at every new boundary, then join what lies between two of them. */
export function updateShardCount(
  context: KinesisContext,
  input: StreamName & { readonly TargetShardCount: number },
): unknown {
  const stream = findStream(context, input);
  const current = stream.open.length;
  const target = input.TargetShardCount;
  if (target < 1 || target > 2 * current || target < Math.ceil(current / 2)) {
    throw new JsonServiceError(
      "LimitExceededException",
      `UpdateShardCount cannot scale from ${current} to ${target} shards.`,
    );
  }
  for (let i = 1; i < target; i++) {
    const boundary = toHex(rangeStart(i, target));
    const shard = stream.open.find(({ low, high }) => low < boundary && boundary <= high);
    if (shard) split(context, stream, shard, boundary);
  }
  for (let i = 0; i < target; i++) {
    const end = hexBelow(toHex(rangeStart(i + 1, target)));
    while (stream.open[i]!.high < end) merge(context, stream, stream.open[i]!, stream.open[i + 1]!);
  }
  return {
    StreamName: stream.name,
    StreamARN: streamArn(stream.name),
    CurrentShardCount: current,
    TargetShardCount: target,
  };
}

function openShard(stream: Stream, id: string): Shard {
  const shard = findShard(stream, id);
  if (shard.lastSequence !== undefined) throw invalidArgument(`Shard ${id} in stream ${stream.name} is closed.`);
  return shard;
}

function split(context: KinesisContext, stream: Stream, shard: Shard, middle: string): void {
  replace(
    context,
    stream,
    [shard],
    [
      [shard.low, hexBelow(middle)],
      [middle, shard.high],
    ],
  );
}

function merge(context: KinesisContext, stream: Stream, first: Shard, second: Shard): void {
  const [lower, upper] = first.low < second.low ? [first, second] : [second, first];
  replace(context, stream, [first, second], [[lower.low, upper.high]]);
}

function replace(
  { store, now }: KinesisContext,
  stream: Stream,
  parents: readonly Shard[],
  ranges: readonly (readonly [low: string, high: string])[],
): void {
  const sequence = (number: number) => store.sequences.next(number, now());
  const close = parents.map(({ number }) => [number, sequence(number)] as const);
  const shards = ranges.map(([low, high], i): ShardRange => {
    const number = stream.shards.length + i;
    return {
      id: shardId(number),
      number,
      low,
      high,
      parents: parents.map(({ id }) => id),
      firstSequence: sequence(number),
    };
  });
  store.apply({ op: "reshard", name: stream.name, close, shards });
}
