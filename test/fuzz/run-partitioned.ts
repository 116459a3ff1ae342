import { TidemarkError } from "../../lib/errors.js";
import { defineQuery } from "../../lib/plan/define-query.js";
import type { QueryDefinition } from "../../lib/plan/logical-plan.js";
import { openStagedQuery } from "../../lib/runtime/stages/open-staged-query.js";
import type { StagedQuery } from "../../lib/runtime/stages/staged-query.js";
import { memoryShuffleStream } from "../../lib/shuffle/memory-shuffle-stream.js";
import type { Invocation } from "./deliveries.js";
import { memoryWorld } from "./memory-world.js";
import { deliveriesOf, type Outcome, type RunOptions, type SentRecords } from "./run-query.js";

/** The query over so many state partitions; null: it cannot be cut. */
export function overPartitions(definition: QueryDefinition, statePartitions: number): QueryDefinition | null {
  try {
    return defineQuery({ ...definition, options: { ...definition.options, statePartitions } });
  } catch (error) {
    if (error instanceof TidemarkError && error.code.startsWith("partition-")) return null;
    throw error;
  }
}

/** The same invocations in two stages: an entry per delivery, an invocation per partition, as law L1 of docs/design/partitions.md has it. */
export async function runPartitioned(
  definition: QueryDefinition,
  invocations: readonly Invocation[],
  run: RunOptions,
): Promise<Outcome> {
  const world = memoryWorld(run);
  const shuffle = memoryShuffleStream();
  const open = () => openStagedQuery(definition, { ...world.options, shuffle });
  const readAll = async (query: StagedQuery): Promise<void> => {
    for (let partition = 0; partition < query.partitions; partition++) {
      const { failure } = await query.processShuffled(shuffle.take(partition));
      if (failure !== undefined) throw failure;
    }
  };
  let query: StagedQuery | null = null;
  const sent: SentRecords = new Map();
  for (const invocation of invocations) {
    world.secondPasses();
    if (invocation.restart) query = null;
    query ??= await open();
    if (invocation.tick) {
      await query.tick();
      await readAll(query);
    }
    await query.processBatch(deliveriesOf(invocation, sent));
    await readAll(query);
  }
  query ??= await open();
  if (run.drain) {
    await query.drain();
    await readAll(query);
  }
  return world.outcome();
}
