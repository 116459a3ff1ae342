import { createBatchBuffer } from "./batch-buffer.js";
import { deliveredRecord, sequenceOf } from "./event-record.js";
import type { MappingWorld } from "./mapping-world.js";
import { processBatch } from "./process-batch.js";
import { createShardReader, type ReadStart } from "./shard-reader.js";

/** Called before each read; what it returns is called if that read found the shard's tip and everything read is processed. */
type BeginRead = () => () => void;

/** One batch at a time, so the order within the shard holds. Returns true when a closed shard is processed to its end. */
export async function pollShard(
  world: MappingWorld,
  shardId: string,
  start: ReadStart,
  beginRead: BeginRead,
): Promise<boolean> {
  const { settings, clock, signal, checkpoints } = world;
  const reader = createShardReader(world, shardId, start);
  const buffer = createBatchBuffer(settings);
  while (!signal.aborted) {
    const caughtUp = beginRead();
    const page = await reader.next();
    if (page === null) return false;
    buffer.add(
      page.records.map((record) => deliveredRecord(world.streamArn, shardId, record)),
      clock.now(),
    );
    for (;;) {
      const batch = buffer.take(clock.now(), page.ended);
      if (batch === null || signal.aborted) break;
      await processBatch(world, batch, (done) => checkpoints.set(shardId, { through: sequenceOf(done) }));
    }
    if (signal.aborted) return false;
    if (page.ended) {
      checkpoints.set(shardId, { drained: true });
      return true;
    }
    if (page.atTip) {
      if (buffer.length === 0) caughtUp();
      await clock.sleep(Math.min(settings.pollMs, buffer.remaining(clock.now())), signal);
    }
  }
  return false;
}
