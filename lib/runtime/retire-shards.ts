import {
  forgetRetired,
  type Registers,
  type ShardInfo,
  type ShardRegister,
  shardKey,
} from "../checkpoint/registers.js";
import type { PhysicalQuery } from "../planner/physical-query.js";
import { NO_WATERMARK } from "../time/event-time.js";
import { advanceNode } from "../time/watermark.js";
import { isDrained } from "./shard-registers.js";

/**
 * Protocol.md rule 4: a closed shard retires once its children have committed for longer than the stream's retention, which the source
 * itself tells: it no longer lists the shard. Of what was known of it only its id and newest arrival stay. Retiring says nothing new, so a
 * shard waits until all it had to say is said:
 * - it is drained, and so are its parents, for whom it may be the evidence; each of its children stands on a register of its own;
 * - every watermark node has its highest event time behind it, so that no watermark falls or waits;
 * - a shard that is still listed has shown an event time and an arrival as late, for `closeOnIdle` counts on from those.
 */
export function retireShards(
  registers: Registers,
  query: Pick<PhysicalQuery, "watermarks">,
  source: string,
  listed: readonly ShardInfo[],
  mayRetire: (shard: string) => boolean = () => true,
): Registers {
  const list = registers.shardList[source] ?? [];
  const isListed = ({ shard }: ShardInfo) => listed.some((info) => info.shard === shard);
  const standing = list.filter(isListed).map(({ shard }) => registers.perShard[shardKey(source, shard)]);
  const retiring = list.filter(
    (info) =>
      !isListed(info) &&
      mayRetire(info.shard) &&
      [info, ...parentsOf(info, list)].every((each) => isDrained(registers, source, each, list)) &&
      childrenStandAlone(registers, source, info, list) &&
      hasNothingLeftToSay(registers, query, registers.perShard[shardKey(source, info.shard)], standing),
  );
  if (retiring.length === 0) return registers;
  // A child that leaves was the evidence.
  const marked = list.map((info) =>
    isDrained(registers, source, info, list) ? { ...info, drained: true as const } : info,
  );
  const retired = new Map(Object.entries(registers.retired));
  for (const { shard } of retiring) {
    const key = shardKey(source, shard);
    retired.set(key, registers.perShard[key]?.newestArrival ?? 0);
  }
  return forgetRetired({
    ...registers,
    shardList: { ...registers.shardList, [source]: marked },
    retired: Object.fromEntries(retired),
  });
}

const parentsOf = ({ parents }: ShardInfo, list: readonly ShardInfo[]): readonly ShardInfo[] =>
  list.filter(({ shard }) => parents.includes(shard));

const childrenStandAlone = (
  { perShard }: Registers,
  source: string,
  { shard }: ShardInfo,
  list: readonly ShardInfo[],
): boolean =>
  list.every((child) => !child.parents.includes(shard) || perShard[shardKey(source, child.shard)] !== undefined);

function hasNothingLeftToSay(
  { perNodeWatermark }: Registers,
  { watermarks }: Pick<PhysicalQuery, "watermarks">,
  register: ShardRegister | undefined,
  standing: readonly (ShardRegister | undefined)[],
): boolean {
  if (register === undefined) return true;
  if (!standing.some((other) => other !== undefined && other.newestArrival >= register.newestArrival)) return false;
  return watermarks.every(({ id, delayMs }) => {
    const highest = highestOf(register, id);
    if (highest === NO_WATERMARK) return true;
    const isSettled = (perNodeWatermark[id] ?? NO_WATERMARK) >= advanceNode(NO_WATERMARK, highest, delayMs);
    return isSettled && standing.some((other) => other !== undefined && highestOf(other, id) >= highest);
  });
}

const highestOf = ({ steps }: ShardRegister, node: string): number => steps[node]?.at(-1)?.maxEventTime ?? NO_WATERMARK;
