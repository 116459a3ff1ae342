import { DescribeStreamSummaryCommand } from "@aws-sdk/client-kinesis";
import { systemPollClock } from "../poll-clock.js";
import { createCaughtUp } from "./caught-up.js";
import { listStreamShards } from "./list-stream-shards.js";
import { type MappingOptions, settingsOf } from "./mapping-options.js";
import type { MappingWorld } from "./mapping-world.js";
import { pollShard } from "./poll-shard.js";
import { type ListedShard, runnableShards } from "./runnable-shards.js";
import { openShardCheckpoints } from "./shard-checkpoints.js";
import type { ReadStart } from "./shard-reader.js";

export interface EventSourceMapping {
  /** Resolves when all that was in the stream at the call is processed or discarded; also when the mapping stops. */
  whenCaughtUp(): Promise<void>;
  /** Begins no more invocations; resolves when those under way have ended. */
  stop(): Promise<void>;
}

/**
 * Lambda's event source mapping for a Kinesis stream: shards side by side, each in order, children after their parents, retries, splits,
 * reported failures and discarded records. Parallelization factor 1, no tumbling windows, no filters.
 */
export async function startEventSourceMapping(options: MappingOptions): Promise<EventSourceMapping> {
  const stopping = new AbortController();
  const { kinesis, streamName, clock = systemPollClock } = options;
  const summary = await kinesis.send(new DescribeStreamSummaryCommand({ StreamName: streamName }));
  const world: MappingWorld = {
    kinesis,
    streamName,
    streamArn: summary.StreamDescriptionSummary!.StreamARN!,
    functionArn: `arn:aws:lambda:us-east-1:000000000000:function:${options.functionName ?? "local"}`,
    invoke: options.invoke,
    onFailure: options.onFailure ?? (() => {}),
    onError: options.onError ?? (() => {}),
    settings: settingsOf(options),
    checkpoints: openShardCheckpoints(options.checkpointPath),
    clock,
    signal: stopping.signal,
  };
  const caughtUp = createCaughtUp();
  const running = runShards(world, caughtUp);
  return {
    whenCaughtUp: () => caughtUp.wait(),
    async stop() {
      stopping.abort();
      await running;
      caughtUp.stop();
      world.checkpoints.close();
    },
  };
}

/** Lists the shards again and again, and begins each once its parents are done. */
async function runShards(world: MappingWorld, caughtUp: ReturnType<typeof createCaughtUp>): Promise<void> {
  const { clock, signal, settings, checkpoints } = world;
  const begun = new Set<string>();
  const drained = new Set<string>();
  const polling: Promise<void>[] = [];
  const finish = (shardId: string) => {
    drained.add(shardId);
    caughtUp.drained(shardId);
  };
  const begin = ({ shardId, closed }: ListedShard, isNew: boolean) => {
    begun.add(shardId);
    const checkpoint = checkpoints.get(shardId);
    const skipped = !checkpoint && !isNew && closed && settings.startingPosition === "LATEST";
    if (skipped || (checkpoint && "drained" in checkpoint)) {
      finish(shardId);
      return;
    }
    const start = checkpoint ? { after: checkpoint.through } : startOf(isNew, settings.startingPosition);
    const poll = pollShard(world, shardId, start, () => caughtUp.beginRead(shardId));
    polling.push(poll.then((ended) => (ended ? finish(shardId) : undefined), world.onError));
  };
  for (let isNew = !checkpoints.empty; !signal.aborted; ) {
    const listed = caughtUp.beginListing();
    try {
      const shards = await listStreamShards(world.kinesis, world.streamName);
      listed(shards.map(({ shardId }) => shardId));
      for (let next = runnableShards(shards, begun, drained); next.length > 0; ) {
        for (const shard of next) begin(shard, isNew);
        next = runnableShards(shards, begun, drained);
      }
      isNew = true;
    } catch (error) {
      if (!signal.aborted) world.onError(error);
    }
    await clock.sleep(settings.pollMs, signal);
  }
  await Promise.all(polling);
}

/** LATEST is a place of the mapping's beginning: a shard that comes later is read whole, or its first records would be missed. */
const startOf = (isNew: boolean, position: ReadStart): ReadStart =>
  isNew && position === "LATEST" ? "TRIM_HORIZON" : position;
