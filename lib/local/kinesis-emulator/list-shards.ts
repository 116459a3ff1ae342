import { findStream, invalidArgument, type KinesisContext, type StreamName } from "./kinesis-context.js";
import { decodeToken, encodeToken } from "./opaque-token.js";
import { describeShard, type Shard } from "./shard.js";
import type { Stream } from "./stream-store.js";

interface ShardFilter {
  readonly Type: string;
  readonly ShardId?: string;
  /** Epoch seconds. */
  readonly Timestamp?: number;
}

interface ListShardsInput extends StreamName {
  readonly NextToken?: string;
  readonly ExclusiveStartShardId?: string;
  readonly MaxResults?: number;
  readonly ShardFilter?: ShardFilter;
}

interface Token {
  readonly stream: string;
  readonly after: string;
  readonly filter?: ShardFilter;
}

export function listShards(context: KinesisContext, input: ListShardsInput): unknown {
  if (input.NextToken !== undefined && (input.StreamName ?? input.StreamARN) !== undefined) {
    throw invalidArgument("NextToken and StreamName cannot be provided together.");
  }
  const token =
    input.NextToken === undefined ? undefined : decodeToken<Token>(input.NextToken, "NextToken is invalid.");
  const stream = findStream(context, token ? { StreamName: token.stream } : input);
  const after = token?.after ?? input.ExclusiveStartShardId ?? "";
  const filter = token?.filter ?? input.ShardFilter;
  const limit = input.MaxResults ?? 1000;
  const matching = stream.shards.filter((shard) => shard.id > after && passes(stream, shard, filter));
  const page = matching.slice(0, limit);
  const more = matching.length > page.length;
  return {
    Shards: page.map(describeShard),
    ...(more
      ? { NextToken: encodeToken({ stream: stream.name, after: page.at(-1)!.id, ...(filter ? { filter } : {}) }) }
      : {}),
  };
}

function passes(stream: Stream, shard: Shard, filter: ShardFilter | undefined): boolean {
  switch (filter?.Type) {
    case "AT_LATEST":
      return shard.lastSequence === undefined;
    case "AT_TRIM_HORIZON":
      return shard.parents.every((parent) => !stream.shards.some((other) => other.id === parent));
    case "AFTER_SHARD_ID":
      return shard.id > (filter.ShardId ?? "");
    default:
      return true;
  }
}
