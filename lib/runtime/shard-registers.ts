import { isRetired, type Registers, type ShardInfo, type ShardRegister, shardKey } from "../checkpoint/registers.js";
import type { Observation, PhysicalQuery } from "../planner/physical-query.js";
import type { ShardEvidence } from "../time/shard-watermark.js";
import { mergeSteps, type WatermarkStep } from "../time/watermark-steps.js";
import type { HeartbeatSeen } from "./consumed-deliveries.js";

/** Every function here returns registers that are nowhere smaller than those it was given: repeated or lost updates do no harm. */

const NEW_SHARD: ShardRegister = Object.freeze({ readThrough: 0, newestArrival: 0, steps: Object.freeze({}) });

/** Arrival of a record whose source tells none: before every horizon, so that it counts at once. */
const NO_ARRIVAL = 0;

export const isListed = (registers: Registers, source: string, shard: string): boolean =>
  registers.shardList[source]?.some((info) => info.shard === shard) ?? false;

/** `readTo`: arrival of the last record read, null where the source has none. */
export const recordRead = (registers: Registers, key: string, readTo: number | null): Registers =>
  update(registers, key, (old) => ({
    ...old,
    readThrough: Math.max(old.readThrough, readTo ?? NO_ARRIVAL),
    newestArrival: Math.max(old.newestArrival, readTo ?? NO_ARRIVAL),
  }));

/** The shard was seen empty up to `through`. One that never had a record counts as silent from the first such look. */
export const recordSilence = (registers: Registers, key: string, through: number): Registers =>
  update(registers, key, (old) => ({
    ...old,
    readThrough: Math.max(old.readThrough, through),
    silentSince: old.silentSince ?? through,
  }));

export function recordObservations(
  registers: Registers,
  query: Pick<PhysicalQuery, "sources" | "watermarks">,
  observations: readonly Observation[],
): Registers {
  let next = registers;
  for (const { node, source, shard, maxEventTime, steps } of observations) {
    const id = query.watermarks[node]!.id;
    const seen = steps.length > 0 ? steps : [{ arrival: NO_ARRIVAL, maxEventTime }];
    next = recordSteps(next, shardKey(query.sources[source]!.name, shard), id, seen);
  }
  return next;
}

export const recordSteps = (
  registers: Registers,
  key: string,
  node: string,
  seen: readonly WatermarkStep[],
): Registers =>
  update(registers, key, (old) => ({
    ...old,
    steps: { ...old.steps, [node]: mergeSteps(old.steps[node] ?? [], seen, Number.NEGATIVE_INFINITY) },
  }));

/** All that another partition knows of the shard. */
export const recordRegister = (registers: Registers, key: string, seen: ShardRegister, mostSteps: number): Registers =>
  update(registers, key, (old) => {
    const silentSince = old.silentSince ?? seen.silentSince;
    const nodes = new Set([...Object.keys(old.steps), ...Object.keys(seen.steps)]);
    const steps = [...nodes].map((node): [string, readonly WatermarkStep[]] => [
      node,
      mergeSteps(old.steps[node] ?? [], seen.steps[node] ?? [], Number.NEGATIVE_INFINITY, mostSteps),
    ]);
    return {
      readThrough: Math.max(old.readThrough, seen.readThrough),
      newestArrival: Math.max(old.newestArrival, seen.newestArrival),
      ...(silentSince === undefined ? {} : { silentSince }),
      steps: Object.fromEntries(steps),
    };
  });

/** Steps at or before `settled`, behind which no horizon of the node falls any more, become one: entries stay small. */
export function settleSteps(registers: Registers, keys: readonly string[], node: string, settled: number): Registers {
  let next = registers;
  for (const key of keys) {
    const steps = next.perShard[key]?.steps[node] ?? [];
    const fewer = mergeSteps(steps, [], settled);
    if (fewer.length < steps.length)
      next = update(next, key, (old) => ({ ...old, steps: { ...old.steps, [node]: fewer } }));
  }
  return next;
}

/** A heartbeat speaks to every watermark node above its source. */
export function recordHeartbeats(
  registers: Registers,
  query: Pick<PhysicalQuery, "sources" | "watermarks">,
  heartbeats: readonly HeartbeatSeen[],
): Registers {
  let next = registers;
  for (const { source, shard, arrival, eventTime } of heartbeats)
    for (const node of query.watermarks)
      if (node.sources.some((index) => query.sources[index]!.name === source))
        next = recordSteps(next, shardKey(source, shard), node.id, [
          { arrival: arrival ?? NO_ARRIVAL, maxEventTime: eventTime },
        ]);
  return next;
}

/** Newly listed shards join; one that the source no longer names stays until it is retired, and never comes back then; marks stay. */
export function recordShardList(registers: Registers, source: string, listed: readonly ShardInfo[]): Registers {
  const known = registers.shardList[source] ?? [];
  const stillKnown = known.filter((info) => !listed.some(({ shard }) => shard === info.shard));
  const living = listed.filter(({ shard }) => !isRetired(registers, shardKey(source, shard)));
  const marked = living.map((info) => {
    const drained = known.some(({ shard, drained: mark }) => shard === info.shard && mark === true);
    return drained ? { ...info, drained: true as const } : info;
  });
  return { ...registers, shardList: { ...registers.shardList, [source]: [...stillKnown, ...marked] } };
}

/** A probe found it closed with all read. It leaves once its children are known: they start where it ended. */
export function recordDrained(registers: Registers, source: string, shard: string): Registers {
  const known = registers.shardList[source] ?? [];
  if (!known.some(({ parents }) => parents.includes(shard))) return registers;
  const list = known.map((info) => (info.shard === shard ? { ...info, drained: true as const } : info));
  return { ...registers, shardList: { ...registers.shardList, [source]: list } };
}

/** What the shards of one source say to one watermark node; null: they were not listed yet, and nothing may move. */
export function evidenceOf(
  registers: Registers,
  source: string,
  node: string,
  mustBeListed: boolean,
): readonly ShardEvidence[] | null {
  const listed = registers.shardList[source];
  if (listed === undefined && mustBeListed) return null;
  const list = listed ?? [];
  const unlisted = Object.keys(registers.perShard)
    .filter((key) => key.startsWith(shardKey(source, "")))
    .map((key) => key.slice(source.length + 1))
    .filter((shard) => !list.some((info) => info.shard === shard))
    // A drained shard that the source has forgotten keeps its steps, and holds nothing back.
    .map((shard) => ({ info: { shard, parents: [] }, live: listed === undefined }));
  const shards = list.map((info) => ({ info, live: !isDrained(registers, source, info, list) }));
  return [...shards, ...unlisted].map(({ info, live }) => {
    const register = registers.perShard[shardKey(source, info.shard)];
    return {
      name: shardKey(source, info.shard),
      live,
      readThrough: readThroughOf(registers, source, info, list),
      newestArrival: register?.newestArrival ?? 0,
      silentSince: silentFrom(register),
      steps: register?.steps[node] ?? [],
    };
  });
}

/** A shard that had a record is silent from its newest; another from its first empty look on. */
const silentFrom = (register: ShardRegister | undefined): number =>
  register === undefined
    ? Number.POSITIVE_INFINITY
    : register.newestArrival > 0
      ? register.newestArrival
      : (register.silentSince ?? Number.POSITIVE_INFINITY);

/** Lambda finishes a parent before its children, so a child's first record is the evidence. */
export const isDrained = (registers: Registers, source: string, info: ShardInfo, list: readonly ShardInfo[]): boolean =>
  info.drained === true ||
  list.some(
    ({ shard, parents }) =>
      parents.includes(info.shard) && (registers.perShard[shardKey(source, shard)]?.newestArrival ?? 0) > 0,
  );

/** A child that was never read starts at the lowest of its parents. */
function readThroughOf(registers: Registers, source: string, info: ShardInfo, list: readonly ShardInfo[]): number {
  const register = registers.perShard[shardKey(source, info.shard)];
  if (register !== undefined) return register.readThrough;
  const parents = list.filter(({ shard }) => info.parents.includes(shard));
  if (parents.length === 0) return Number.NEGATIVE_INFINITY;
  return Math.min(...parents.map((parent) => readThroughOf(registers, source, parent, list)));
}

/** A retired shard has no register any more, whatever is read of it. */
function update(registers: Registers, key: string, change: (old: ShardRegister) => ShardRegister): Registers {
  if (isRetired(registers, key)) return registers;
  const old = registers.perShard[key] ?? NEW_SHARD;
  return { ...registers, perShard: { ...registers.perShard, [key]: change(old) } };
}
