import { highestConsumed, NO_OFFSETS } from "../checkpoint/offsets.js";
import { type Registers, type ShardInfo, shardKey } from "../checkpoint/registers.js";
import type { PartitionPosition } from "../checkpoint/state-partition.js";
import { listOrFail } from "./list-new-shards.js";
import type { QueryRuntime } from "./query-runtime.js";
import { retireShards } from "./retire-shards.js";
import { isDrained, recordDrained, recordShardList, recordSilence } from "./shard-registers.js";

/** A shard that had a record this recently is not silent: a look would tell next to nothing. */
export const SILENT_AFTER_MS = 2_000;

/** A record may carry an arrival a little before the look that missed it: clocks of the service differ. */
export const CLOCK_MARGIN_MS = 1_000;

/**
 * Evidence about shards that deliver nothing: listed first, so that a child is known before its parent is found closed, then
 * looked at. A shard that cannot be read, or lags, is not idle: it keeps holding the watermark, visibly. One that was never read is
 * looked at from its oldest record on, so a mapping that starts later than TRIM_HORIZON is held until those have expired.
 */
export async function probeShards(runtime: QueryRuntime, position: PartitionPosition): Promise<Registers> {
  const { query, ports, rules } = runtime;
  let registers = position.registers;
  for (const [source, lister] of ports.shardListers) {
    if (rules.sources.get(source)?.across === "max" && rules.closeOnIdleMs === null) continue;
    const listed = await listOrFail(source, () => lister.listShards());
    registers = retireShards(recordShardList(registers, source, listed), query, source, listed);
    const list = registers.shardList[source]!;
    for (const info of list) {
      const key = shardKey(source, info.shard);
      const silent = ports.clock.now() - (registers.perShard[key]?.newestArrival ?? 0) > SILENT_AFTER_MS;
      if (!silent || isDrained(registers, source, info, list)) continue;
      const newest = highestConsumed(position.offsets.get(key) ?? NO_OFFSETS);
      const probe = await lister.probe(info.shard, newest).catch(() => ({ found: "behind" as const }));
      if (probe.found === "caught-up") registers = recordSilence(registers, key, probe.instant - CLOCK_MARGIN_MS);
      if (probe.found === "closed") registers = recordDrained(registers, source, info.shard);
    }
  }
  return registers;
}

/** Whether it is worth a commit of its own that shards were looked at; how far they were read is not. */
export function hasNewShards(before: Registers, after: Registers): boolean {
  if (listText(before) !== listText(after)) return true;
  return Object.keys(after.perShard).some((key) => before.perShard[key] === undefined);
}

/** Field by field: what was loaded lists its fields in another order than what was listed just now. */
const listText = ({ shardList }: Registers): string => {
  const shardText = ({ shard, parents, drained }: ShardInfo) => [shard, [...parents], drained === true];
  const sources = Object.entries(shardList).map(([source, list]) => [source, list.map(shardText)] as const);
  return JSON.stringify(sources.sort(([a], [b]) => (a < b ? -1 : 1)));
};
