import type { PartitionPosition } from "../checkpoint/state-partition.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import type { PhysicalQuery } from "../planner/physical-query.js";
import type { RowSchemaOf } from "./operator-schemas.js";
import type { RuntimePorts } from "./ports.js";
import type { WatermarkRules } from "./query-watermark.js";

/** A query made ready, once per cold start: what every micro-batch and tick of this environment works with. */
export interface QueryRuntime {
  readonly definition: QueryDefinition;
  readonly query: PhysicalQuery;
  readonly rules: WatermarkRules;
  readonly rowSchemaOf: RowSchemaOf;
  /** Why some of its state is kept for ever: codes of warnings, or `complete-mode`. */
  readonly neverEvicts: readonly string[];
  readonly ports: RuntimePorts;
  /** Stable over restarts, and one per environment: Spark's `id` and `runId`. */
  readonly id: string;
  readonly runId: string;
}

/** Processing time never goes back, whichever host's clock is asked. */
export const processingTimeOf = ({ ports }: QueryRuntime, { registers }: PartitionPosition): number =>
  Math.max(ports.clock.now(), registers.processingTime);

export const wantsNoDataPasses = ({ definition, query }: QueryRuntime): boolean =>
  query.wantsNoDataPass && definition.options.noDataMicroBatches;
