import { userError } from "../errors.js";
import type { Descriptor } from "../plan/logical-plan.js";
import { parseDelay } from "../time/duration.js";
import type { Across } from "../time/shard-watermark.js";

/** How one source's shards move the watermark (DESIGN.md section 4). */
export interface SourcePolicy {
  readonly across: Across;
  /** Only with `across: "min"`; null: a silent shard holds the watermark for ever. */
  readonly idleTimeoutMs: number | null;
  /** Null: off. */
  readonly maxFutureSkewMs: number | null;
}

/** Sources whose records carry the time at which they arrived. */
const WITH_ARRIVALS: ReadonlySet<string> = new Set(["kinesis", "kafka"]);
const HOUR = 3_600_000;

/** Files and memory have no arrival times, so they follow Spark: the maximum, and no guard. */
export function sourcePolicy(descriptor: Descriptor): SourcePolicy {
  const arrivals = WITH_ARRIVALS.has(descriptor.kind);
  return {
    across: across(descriptor["across"]) ?? (arrivals ? "auto" : "max"),
    idleTimeoutMs: durationMs(descriptor["idleTimeout"]) ?? null,
    maxFutureSkewMs:
      descriptor["maxFutureSkew"] === false || descriptor["maxFutureSkew"] === null
        ? null
        : (durationMs(descriptor["maxFutureSkew"]) ?? (arrivals ? HOUR : null)),
  };
}

function across(value: unknown): Across | undefined {
  if (value === undefined || value === "auto" || value === "max" || value === "min") return value;
  throw userError("across-unknown", `across is ${JSON.stringify(value)}.`, 'Write "auto", "max" or "min".');
}

/** Text as in withWatermark, or milliseconds. */
const durationMs = (value: unknown): number | undefined =>
  typeof value === "string" ? parseDelay(value) : typeof value === "number" ? value : undefined;
