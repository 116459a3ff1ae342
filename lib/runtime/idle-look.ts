import type { PartitionPosition, StatePartition } from "../checkpoint/state-partition.js";
import { hasNewShards, probeShards } from "./probe-shards.js";
import { processingTimeOf, type QueryRuntime, wantsNoDataPasses } from "./query-runtime.js";
import { advanceWatermark, type WatermarkAdvance } from "./query-watermark.js";

/** What a tick finds in a cold environment; `idle` with where event time stands, though nothing of it is worth a commit. */
type IdleLook = "due" | "drained" | { readonly idle: WatermarkAdvance };

/**
 * Whether a tick in a cold environment has nothing to do, told by registers alone: then the state is not loaded at all. Whatever is
 * doubtful counts as due.
 */
export async function lookIdle(runtime: QueryRuntime, partition: StatePartition): Promise<IdleLook> {
  const look = await partition.look?.();
  if (look === null || look === undefined || look.pending) return "due";
  if (look.position.registers.drained) return "drained";
  return lookAt(runtime, look.position);
}

async function lookAt(runtime: QueryRuntime, position: PartitionPosition): Promise<IdleLook> {
  const { query, rules } = runtime;
  // Marks that differ are worth a pass.
  if (position.watermark > position.lastPassWatermark && wantsNoDataPasses(runtime)) return "due";
  const processingTime = processingTimeOf(runtime, position);
  const { nextTimer } = position.registers;
  if (nextTimer !== null && nextTimer <= processingTime) return "due";
  const registers = await probeShards(runtime, position);
  if (hasNewShards(position.registers, registers)) return "due";
  const advance = advanceWatermark(query, rules, { ...registers, processingTime }, position.watermark);
  return advance.watermark > position.watermark ? "due" : { idle: advance };
}
