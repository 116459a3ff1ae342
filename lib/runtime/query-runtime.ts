import type { PartitionPosition } from "../checkpoint/state-partition.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import type { PhysicalQuery } from "../planner/physical-query.js";
import type { QueryIdleEvent } from "./listener.js";
import { neverEvicts } from "./never-evicts.js";
import { type NoEventTimeDetail, noEventTimeDetail } from "./no-event-time.js";
import { type RowSchemaOf, rowSchemas } from "./operator-schemas.js";
import type { RuntimePorts } from "./ports.js";
import type { QueryProgress } from "./progress.js";
import { queryEvents } from "./query-events.js";
import { sourcesOf } from "./query-sources.js";
import type { WatermarkRules } from "./query-watermark.js";
import { sourcePolicy } from "./source-policy.js";

/** A query made ready, once per cold start: what every micro-batch and tick of this environment works with. */
export interface QueryRuntime extends QueryIdentity {
  readonly definition: QueryDefinition;
  readonly query: PhysicalQuery;
  readonly rules: WatermarkRules;
  readonly rowSchemaOf: RowSchemaOf;
  readonly noEventTime: NoEventTimeDetail;
  /** Why some of its state is kept for ever: codes of warnings, or `complete-mode`. */
  readonly neverEvicts: readonly string[];
  readonly ports: RuntimePorts;
}

/** Spark's `id` and `runId`. */
export interface QueryIdentity {
  /** Stable over restarts. */
  readonly id: string;
  /** One per environment. */
  readonly runId: string;
}

export interface PreparedRuntime {
  readonly runtime: QueryRuntime;
  readonly lastProgress: () => QueryProgress | null;
  readonly events: ReturnType<typeof queryEvents>;
}

/** Reads and writes nothing. `lastProgress` is that of this environment. */
export function queryRuntime(
  definition: QueryDefinition,
  query: PhysicalQuery,
  ports: RuntimePorts,
  identity: QueryIdentity,
): PreparedRuntime {
  let last: QueryProgress | null = null;
  const events = queryEvents({ ...identity, name: definition.queryName }, ports);
  const onProgress = (progress: QueryProgress): void => {
    last = progress;
    ports.onProgress(progress);
    events.progress(progress);
  };
  const onIdle = (idle: QueryIdleEvent): void => {
    ports.onIdle?.(idle);
    events.idle(idle);
  };
  const runtime: QueryRuntime = {
    ...identity,
    definition,
    query,
    rowSchemaOf: rowSchemas(definition.plan),
    noEventTime: noEventTimeDetail(definition.plan),
    neverEvicts: neverEvicts(definition),
    ports: { ...ports, onProgress, onIdle },
    rules: {
      policy: definition.watermarkPolicy,
      sources: new Map(sourcesOf(definition.plan).map(({ name, descriptor }) => [name, sourcePolicy(descriptor)])),
      listed: new Set(ports.shardListers.keys()),
      closeOnIdleMs: definition.options.closeOnIdleMs ?? null,
    },
  };
  return { runtime, lastProgress: () => last, events };
}

/** Processing time never goes back, whichever host's clock is asked. */
export const processingTimeOf = ({ ports }: QueryRuntime, { registers }: PartitionPosition): number =>
  Math.max(ports.clock.now(), registers.processingTime);

export const wantsNoDataPasses = ({ definition, query }: QueryRuntime): boolean =>
  query.wantsNoDataPass && definition.options.noDataMicroBatches;
