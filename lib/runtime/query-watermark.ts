import type { Registers } from "../checkpoint/registers.js";
import type { WatermarkPolicy } from "../plan/logical-plan.js";
import type { PhysicalQuery, WatermarkNodeInfo } from "../planner/physical-query.js";
import { NO_WATERMARK, type Watermark } from "../time/event-time.js";
import {
  acrossAuto,
  acrossMax,
  acrossMin,
  higher,
  type ShardEvidence,
  type ShardVerdict,
  slowestOf,
} from "../time/shard-watermark.js";
import { advanceGlobal, advanceNode } from "../time/watermark.js";
import { evidenceOf, settleSteps } from "./shard-registers.js";
import type { SourcePolicy } from "./source-policy.js";

export interface WatermarkRules {
  readonly policy: WatermarkPolicy;
  /** By source name. */
  readonly sources: ReadonlyMap<string, SourcePolicy>;
  /** Sources whose shards can be listed. */
  readonly listed: ReadonlySet<string>;
  /** Null: off. */
  readonly closeOnIdleMs: number | null;
}

export interface WatermarkAdvance {
  readonly registers: Registers;
  /** The global watermark, monotone. */
  readonly watermark: Watermark;
  /** `source/shard` (`source/*`: all of it) that keeps the watermark below what was read; null: none does. */
  readonly heldBackBy: string | null;
  /** The clock, not a row, moved it: `closeOnIdle`. */
  readonly byIdleness?: boolean;
}

/** An input whose sibling under policy min is ahead by no more than its own delay and this much does not hold it back: batches are gathered. */
const BATCHING_MS = 60_000;

/**
 * The watermark after the evidence in the registers (SEMANTICS A1, B1; DESIGN.md section 4): each node's own value and the
 * global one only ever grow. Under policy min a node that never saw a row keeps the global one where it stands.
 */
export function advanceWatermark(
  query: Pick<PhysicalQuery, "sources" | "watermarks">,
  rules: WatermarkRules,
  registers: Registers,
  watermark: Watermark,
): WatermarkAdvance {
  const perNode: Record<string, Watermark> = { ...registers.perNodeWatermark };
  let heldBackBy: string | null = null;
  let byIdleness: boolean | undefined;
  let settled = registers;
  for (const node of query.watermarks) {
    const verdict = nodeVerdict(query, rules, registers, node);
    settled = settleSteps(settled, verdict.shards, node.id, verdict.horizon);
    heldBackBy ??= verdict.heldBackBy;
    byIdleness ||= verdict.byIdleness;
    if (verdict.highest === null) continue;
    perNode[node.id] = advanceNode(perNode[node.id] ?? NO_WATERMARK, verdict.highest, node.delayMs);
  }
  const values = query.watermarks.map(({ id }) => perNode[id] ?? NO_WATERMARK);
  return {
    registers: { ...settled, perNodeWatermark: perNode },
    watermark: advanceGlobal(watermark, rules.policy, values),
    heldBackBy: heldBackBy ?? silentSource(query, rules, perNode) ?? slowSource(query, rules, perNode, registers),
    ...(byIdleness === true ? { byIdleness } : {}),
  };
}

/** Under policy min, the source whose node never saw a row while another's did: it holds the whole query. */
function silentSource(
  query: Pick<PhysicalQuery, "sources" | "watermarks">,
  { policy }: WatermarkRules,
  perNode: Readonly<Record<string, Watermark>>,
): string | null {
  const silent = query.watermarks.filter(({ id }) => perNode[id] === undefined);
  if (policy === "max" || silent.length === 0 || silent.length === query.watermarks.length) return null;
  return `${query.sources[silent[0]!.sources[0]!]!.name}/*`;
}

/** Under policy min, the source whose watermark stands behind every other's by more than its own delay and a batching window: it is read, and it is old. */
function slowSource(
  query: Pick<PhysicalQuery, "sources" | "watermarks">,
  rules: WatermarkRules,
  perNode: Readonly<Record<string, Watermark>>,
  registers: Registers,
): string | null {
  if (rules.policy === "max" || query.watermarks.length < 2) return null;
  const [lowest, next] = query.watermarks
    .map((node) => ({ node, watermark: perNode[node.id] ?? NO_WATERMARK }))
    .sort((a, b) => a.watermark - b.watermark);
  if (next!.watermark - lowest!.watermark <= lowest!.node.delayMs + BATCHING_MS) return null;
  const { node } = lowest!;
  const source = query.sources[node.sources[0]!]!.name;
  const shards = evidenceOf(registers, source, node.id, false) ?? [];
  return shards.length === 0 ? `${source}/*` : (slowestOf(shards)?.name ?? `${source}/*`);
}

interface NodeVerdict extends ShardVerdict {
  readonly shards: readonly string[];
  /** Arrival up to which steps count already: only under `auto` is there a later one. */
  readonly horizon: number;
  readonly byIdleness?: true;
}

/** A node above a union sees the rows of several sources: their maximum, at the horizon of the slowest shard of them all. */
function nodeVerdict(
  query: Pick<PhysicalQuery, "sources">,
  rules: WatermarkRules,
  registers: Registers,
  node: WatermarkNodeInfo,
): NodeVerdict {
  const auto: ShardEvidence[] = [];
  const verdicts: ShardVerdict[] = [];
  const all: ShardEvidence[] = [];
  for (const name of new Set(node.sources.map((source) => query.sources[source]!.name))) {
    const { across, idleTimeoutMs } = rules.sources.get(name)!;
    const shards = evidenceOf(registers, name, node.id, across !== "max" && rules.listed.has(name));
    if (shards === null) return { highest: null, heldBackBy: `${name}/*`, shards: [], horizon: NO_WATERMARK };
    all.push(...shards);
    if (across === "auto") auto.push(...shards);
    else verdicts.push(across === "max" ? acrossMax(shards) : acrossMin(shards, idleTimeoutMs));
  }
  if (auto.length > 0) verdicts.push(acrossAuto(auto));
  const settles = {
    shards: all.map((shard) => shard.name),
    horizon: auto.length > 0 ? (slowestOf(auto)?.readThrough ?? NO_WATERMARK) : Number.POSITIVE_INFINITY,
  };
  const idle = rules.closeOnIdleMs === null ? null : idleHighest(all, rules.closeOnIdleMs);
  if (idle !== null) return { ...settles, highest: idle, heldBackBy: null, byIdleness: true };
  return {
    ...settles,
    highest: verdicts.reduce<number | null>((highest, verdict) => higher(highest, verdict.highest), null),
    heldBackBy: verdicts.find((verdict) => verdict.heldBackBy !== null)?.heldBackBy ?? null,
  };
}

/**
 * `closeOnIdle`: every live shard was seen empty for that long since the last arrival, so event time is taken to have gone
 * on with the clock: highest event time + (last look − last arrival).
 */
function idleHighest(shards: readonly ShardEvidence[], closeOnIdleMs: number): number | null {
  const highest = acrossMax(shards).highest;
  const slowest = slowestOf(shards);
  if (highest === null || slowest === null) return null;
  const lastArrival = Math.max(...shards.map(({ newestArrival }) => newestArrival));
  const silence = slowest.readThrough - lastArrival;
  return silence >= closeOnIdleMs ? highest + silence : null;
}
