import { type KinesisClient, ListShardsCommand, type Shard } from "@aws-sdk/client-kinesis";
import type { ListedShard } from "./runnable-shards.js";

/** All pages. */
export async function listStreamShards(kinesis: KinesisClient, streamName: string): Promise<readonly ListedShard[]> {
  const shards: Shard[] = [];
  let NextToken: string | undefined;
  do {
    const page = await kinesis.send(
      new ListShardsCommand(NextToken === undefined ? { StreamName: streamName } : { NextToken }),
    );
    shards.push(...(page.Shards ?? []));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return shards.map(({ ShardId, ParentShardId, AdjacentParentShardId, SequenceNumberRange }) => ({
    shardId: ShardId!,
    parents: [ParentShardId, AdjacentParentShardId].filter((id) => id !== undefined),
    closed: SequenceNumberRange?.EndingSequenceNumber !== undefined,
  }));
}
