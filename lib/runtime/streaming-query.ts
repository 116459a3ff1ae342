import type { StatePartition } from "../checkpoint/state-partition.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import type { PhysicalQuery } from "../planner/physical-query.js";
import type { Delivery } from "../sources/source.js";
import type { QueryIdleEvent } from "./listener.js";
import { type MicroBatchOutcome, runMicroBatch } from "./micro-batch.js";
import { neverEvicts } from "./never-evicts.js";
import { rowSchemas } from "./operator-schemas.js";
import type { Deadline, RuntimePorts } from "./ports.js";
import type { QueryProgress } from "./progress.js";
import { queryEvents } from "./query-events.js";
import type { QueryRuntime } from "./query-runtime.js";
import { sourcesOf } from "./query-sources.js";
import { sourcePolicy } from "./source-policy.js";
import { runTick } from "./tick.js";

/** A running query of one environment. Calls must not overlap: an environment handles one invocation at a time. */
export interface StreamingQuery {
  readonly name: string;
  processBatch(deliveries: readonly Delivery[], deadline?: Deadline | null): Promise<MicroBatchOutcome>;
  /** Null: nothing was worth a commit. */
  tick(deadline?: Deadline | null): Promise<QueryProgress | null>;
  /** Emits all that waits and closes the query: later rows are late with reason `drained`, until a new incarnation. */
  drain(deadline?: Deadline | null): Promise<QueryProgress | null>;
  /** Of this environment. */
  lastProgress(): QueryProgress | null;
  /** Of the query: the last 64 commits, whoever made them, oldest first. */
  recentProgress(): Promise<readonly QueryProgress[]>;
}

interface QueryIdentity {
  /** Stable over restarts. */
  readonly id: string;
  /** One per environment. */
  readonly runId: string;
}

/** Puts a definition, its physical plan, its state partition and the ports together; reads and writes nothing. */
export function streamingQuery(
  definition: QueryDefinition,
  query: PhysicalQuery,
  partition: StatePartition,
  ports: RuntimePorts,
  identity: QueryIdentity,
): StreamingQuery {
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
    neverEvicts: neverEvicts(definition),
    ports: { ...ports, onProgress, onIdle },
    rules: {
      policy: definition.watermarkPolicy,
      sources: new Map(sourcesOf(definition.plan).map(({ name, descriptor }) => [name, sourcePolicy(descriptor)])),
      listed: new Set(ports.shardListers.keys()),
      closeOnIdleMs: definition.options.closeOnIdleMs ?? null,
    },
  };
  events.started();
  return {
    name: definition.queryName,
    processBatch: (deliveries, deadline = null) =>
      events.watch(runMicroBatch(runtime, partition, deliveries, deadline)),
    tick: (deadline = null) => events.watch(runTick(runtime, partition, "tick", deadline)),
    async drain(deadline = null) {
      const progress = await events.watch(runTick(runtime, partition, "drain", deadline));
      if (progress !== null) events.drained();
      return progress;
    },
    lastProgress: () => last,
    recentProgress: async () => (await partition.recentProgress()) as readonly QueryProgress[],
  };
}
