import type { Registers } from "../checkpoint/registers.js";
import type { PhysicalQuery } from "../planner/physical-query.js";
import { NO_WATERMARK } from "../time/event-time.js";
import type { ShardEvidence } from "../time/shard-watermark.js";
import { instantOf } from "./instant.js";
import type { WatermarkRules } from "./query-watermark.js";
import { evidenceOf } from "./shard-registers.js";

/** One shard: ISO instants, null where nothing is known yet. */
export interface ShardWatermark {
  /** Its highest event time less the delay: what the watermark would be if the shard were alone. */
  readonly watermark: string | null;
  /** All that arrived before this instant is read. */
  readonly readThrough: string | null;
}

/** One source as the `withWatermark` above it sees it; a source without one has no watermark. */
export interface InputWatermark {
  readonly source: string;
  readonly delayMs: number | null;
  /** Whether ticks look if a silent shard is empty, so that one that is holds nothing back. */
  readonly probed: boolean;
  /** That `withWatermark`'s own; the query's is the lowest of all, or the highest under the policy max. */
  readonly watermark: string | null;
  /** The lowest of its live shards. */
  readonly readThrough: string | null;
  /** Live shards; one that is drained holds nothing back and is left out. */
  readonly shards: Readonly<Record<string, ShardWatermark>>;
}

/** What the registers say of every source, in the plan's order. */
export function inputWatermarks(
  { sources, watermarks }: Pick<PhysicalQuery, "sources" | "watermarks">,
  rules: WatermarkRules,
  registers: Registers,
): readonly InputWatermark[] {
  return [...new Set(sources.map(({ name }) => name))].map((source) => {
    const node = watermarks.find((each) => each.sources.some((at) => sources[at]!.name === source));
    const delayMs = node?.delayMs ?? null;
    const listed = rules.sources.get(source)?.across !== "max" && rules.listed.has(source);
    const live = (evidenceOf(registers, source, node?.id ?? "", listed) ?? []).filter((shard) => shard.live);
    const own = node === undefined ? undefined : registers.perNodeWatermark[node.id];
    const lowest = live.reduce((low, { readThrough }) => Math.min(low, readThrough), Number.POSITIVE_INFINITY);
    return {
      source,
      delayMs,
      probed: listed,
      watermark: instantOf(own ?? NO_WATERMARK),
      readThrough: readInstant(lowest),
      shards: Object.fromEntries(
        live.map((shard) => [shard.name.slice(source.length + 1), shardWatermark(shard, delayMs)]),
      ),
    };
  });
}

const shardWatermark = ({ steps, readThrough }: ShardEvidence, delayMs: number | null): ShardWatermark => ({
  watermark: instantOf((steps.at(-1)?.maxEventTime ?? NO_WATERMARK) - (delayMs ?? 0)),
  readThrough: readInstant(readThrough),
});

/** A source without arrival times reads through nothing that a clock could name. */
const readInstant = (ms: number): string | null => (ms > 0 ? instantOf(ms) : null);
