import type { PartitionPosition, StatePartition } from "../checkpoint/state-partition.js";
import { hasNewShards, probeShards } from "./probe-shards.js";
import { processingTimeOf, type QueryRuntime, wantsNoDataPasses } from "./query-runtime.js";
import { advanceWatermark } from "./query-watermark.js";

/**
 * Whether a tick in a cold environment has nothing to do, told by registers alone: then the state is not loaded at all. Whatever is
 * doubtful counts as due.
 */
export async function isIdle(runtime: QueryRuntime, partition: StatePartition): Promise<boolean> {
  const look = await partition.look?.();
  if (look === null || look === undefined || look.pending) return false;
  return look.position.registers.drained || !(await isDue(runtime, look.position));
}

async function isDue(runtime: QueryRuntime, position: PartitionPosition): Promise<boolean> {
  const { query, rules } = runtime;
  // Marks that differ are worth a pass.
  if (position.watermark > position.lastPassWatermark && wantsNoDataPasses(runtime)) return true;
  const processingTime = processingTimeOf(runtime, position);
  const { nextTimer } = position.registers;
  if (nextTimer !== null && nextTimer <= processingTime) return true;
  const registers = await probeShards(runtime, position);
  if (hasNewShards(position.registers, registers)) return true;
  const advance = advanceWatermark(query, rules, { ...registers, processingTime }, position.watermark);
  return advance.watermark > position.watermark;
}
