import type { StatePartition } from "../checkpoint/state-partition.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import type { PhysicalQuery } from "../planner/physical-query.js";
import type { Delivery } from "../sources/source.js";
import { type MicroBatchOutcome, runMicroBatch } from "./micro-batch.js";
import type { Deadline, RuntimePorts } from "./ports.js";
import type { QueryProgress } from "./progress.js";
import { type QueryIdentity, queryRuntime } from "./query-runtime.js";
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

/** Puts a definition, its physical plan, its state partition and the ports together; reads and writes nothing. */
export function streamingQuery(
  definition: QueryDefinition,
  query: PhysicalQuery,
  partition: StatePartition,
  ports: RuntimePorts,
  identity: QueryIdentity,
): StreamingQuery {
  const { runtime, lastProgress, events } = queryRuntime(definition, query, ports, identity);
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
    lastProgress,
    recentProgress: async () => (await partition.recentProgress()) as readonly QueryProgress[],
  };
}
