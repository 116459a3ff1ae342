import { userError } from "../errors.js";
import { listsShards, SOURCES } from "../plan/connectors/catalogue.js";
import type { SourceConnector, SourceWatermarkOptions } from "../plan/connectors/source-connector.js";
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

const HOUR = 3_600_000;

/** A source without arrival times follows Spark: the maximum, and no guard. */
export function sourcePolicy(source: SourceConnector): SourcePolicy {
  const { arrivals } = SOURCES[source.kind];
  const options: SourceWatermarkOptions = source.kind === "files" ? {} : source;
  return {
    across: across(options.across) ?? (arrivals && listsShards(source) ? "auto" : "max"),
    idleTimeoutMs: durationMs(options.idleTimeout) ?? null,
    maxFutureSkewMs:
      options.maxFutureSkew === false ? null : (durationMs(options.maxFutureSkew) ?? (arrivals ? HOUR : null)),
  };
}

function across(value: unknown): Across | undefined {
  if (value === undefined || value === "auto" || value === "max" || value === "min") return value;
  throw userError("across-unknown", `across is ${JSON.stringify(value)}.`, 'Write "auto", "max" or "min".');
}

/** Text as in withWatermark, or milliseconds. */
const durationMs = (value: string | number | undefined): number | undefined =>
  typeof value === "string" ? parseDelay(value) : value;
