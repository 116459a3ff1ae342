import { highestConsumed, NO_OFFSETS } from "../../checkpoint/offsets.js";
import { shardKey } from "../../checkpoint/registers.js";
import { encodeRecord } from "../../shuffle/shuffle-codec.js";
import type { RingLook, TickRecord } from "../../shuffle/shuffle-record.js";
import { putRecords } from "../../shuffle/shuffle-sink.js";
import type { ShardLister } from "../../sources/shard-lister.js";
import { listOrFail } from "../list-new-shards.js";
import { CLOCK_MARGIN_MS, SILENT_AFTER_MS } from "../probe-shards.js";
import { publishedHead } from "./first-entry.js";
import type { ShuffleStage } from "./shuffle-stage.js";

/**
 * Once a minute: of every listed shard, closed ones too, what its ring holds is published, its head noted, and only then the source looked
 * at (S10) [CS7]. A shard where one of these fails is left out. The record commits nothing: repeated, late or lost it does no harm.
 */
export async function sendTick(stage: ShuffleStage, kind: "tick" | "drain"): Promise<void> {
  const { ports, rules, definition } = stage.runtime;
  const instant = ports.clock.now();
  const lists: Record<string, TickRecord["lists"][string]> = {};
  const rings: Record<string, Record<string, RingLook>> = {};
  for (const [source, lister] of ports.shardListers) {
    const looks = rules.sources.get(source)?.across !== "max" || rules.closeOnIdleMs !== null;
    const listed = await listOrFail(source, () => lister.listShards());
    if (looks) lists[source] = listed;
    rings[source] = {};
    for (const { shard } of listed) {
      const look = await lookAt(stage, source, shard, looks ? lister : null).catch(() => null);
      if (look !== null) rings[source]![shard] = look;
    }
  }
  const head = {
    format: 1 as const,
    query: definition.queryName,
    incarnation: stage.incarnation,
    generation: stage.generation,
    instant,
    ...(kind === "drain" ? { drain: true as const } : {}),
    lists,
    rings,
  };
  await putRecords(
    stage.stream,
    Array.from({ length: stage.partitions }, (_, partition) => ({
      partition,
      data: encodeRecord({ ...head, partition }, null),
    })),
  );
}

async function lookAt(
  stage: ShuffleStage,
  source: string,
  shard: string,
  lister: ShardLister | null,
): Promise<RingLook> {
  const head = await publishedHead(stage, source, shard);
  if (lister === null) return { head };
  const { offsets, registers } = stage.ringOf(source, shard).position();
  const key = shardKey(source, shard);
  const silent = stage.runtime.ports.clock.now() - (registers.perShard[key]?.newestArrival ?? 0) > SILENT_AFTER_MS;
  if (!silent) return { head };
  const found = await lister.probe(shard, highestConsumed(offsets.get(key) ?? NO_OFFSETS));
  if (found.found === "caught-up") return { head, readThrough: found.instant - CLOCK_MARGIN_MS };
  return found.found === "closed" ? { head, closed: true } : { head };
}
