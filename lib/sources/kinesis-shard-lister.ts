import {
  type _Record,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type KinesisClient,
  ListShardsCommand,
  type Shard,
} from "@aws-sdk/client-kinesis";
import { deaggregate } from "./kpl.js";
import type { ListedShard, ProbeResult, ShardLister } from "./shard-lister.js";
import type { Position } from "./source.js";

/** GetRecords may return empty pages on the way to the end of a sparse shard; five reads a second are allowed per shard. */
const MAX_PAGES = 4;

/** `stream`: a name or an ARN. Costs one ListShards, and per probe one GetShardIterator and one to four GetRecords. */
export function kinesisShardLister(
  client: Pick<KinesisClient, "send">,
  stream: string,
  now: () => number,
): ShardLister {
  return {
    async listShards() {
      const shards: ListedShard[] = [];
      let token: string | undefined;
      do {
        const page = await client.send(
          new ListShardsCommand(token === undefined ? named(stream) : { NextToken: token }),
        );
        shards.push(...(page.Shards ?? []).map(listed));
        token = page.NextToken;
      } while (token !== undefined);
      return shards;
    },

    async probe(shard, after): Promise<ProbeResult> {
      const instant = now();
      const start = await client.send(new GetShardIteratorCommand(iteratorAt(stream, shard, after)));
      let iterator = start.ShardIterator;
      for (let page = 0; page < MAX_PAGES; page++) {
        if (iterator === undefined) return { found: "closed" };
        const { Records, MillisBehindLatest, NextShardIterator } = await client.send(
          new GetRecordsCommand({ ShardIterator: iterator, Limit: 2 }),
        );
        if (Records?.some((record) => isUnread(record, after))) return { found: "behind" };
        iterator = NextShardIterator;
        if (iterator === undefined) return { found: "closed" };
        if (MillisBehindLatest === 0) return { found: "caught-up", instant };
      }
      return { found: "behind" };
    },
  };
}

/** A stream of another account is known by its ARN alone. */
const named = (stream: string) => (stream.startsWith("arn:") ? { StreamARN: stream } : { StreamName: stream });

const listed = (shard: Shard): ListedShard => ({
  shard: shard.ShardId ?? "",
  parents: [shard.ParentShardId, shard.AdjacentParentShardId].filter((parent) => parent !== undefined),
});

/** The last consumed record is read once more: where it is an aggregate, a part of it may be left. */
const iteratorAt = (stream: string, shard: string, after: Position | null) =>
  after === null
    ? { ...named(stream), ShardId: shard, ShardIteratorType: "TRIM_HORIZON" as const }
    : {
        ...named(stream),
        ShardId: shard,
        ShardIteratorType: "AT_SEQUENCE_NUMBER" as const,
        StartingSequenceNumber: after.sequence,
      };

function isUnread({ SequenceNumber, Data }: _Record, after: Position | null): boolean {
  if (after === null || SequenceNumber !== after.sequence) return true;
  return Data !== undefined && (deaggregate(Data)?.length ?? 1) > after.sub + 1;
}
