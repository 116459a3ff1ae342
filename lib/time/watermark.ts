import { NO_WATERMARK, type Watermark } from "./event-time.js";

/** `min`: the slowest node holds the query back. `max`: the fastest one drives it, and makes the others' rows late. */
export type WatermarkPolicy = "min" | "max";

/** The watermark of all nodes together; of none there is none (SEMANTICS B1). */
export function combineWatermarks(policy: WatermarkPolicy, nodes: readonly Watermark[]): Watermark {
  if (nodes.length === 0) return NO_WATERMARK;
  return policy === "min" ? Math.min(...nodes) : Math.max(...nodes);
}

/** A node's own watermark after it saw `maxEventTime`: whole milliseconds, and it never goes back (SEMANTICS A3, A4). */
export const advanceNode = (before: Watermark, maxEventTime: number, delayMs: number): Watermark =>
  Math.max(before, Math.floor(maxEventTime) - delayMs);

/** The global watermark never goes back, whatever the policy makes of the nodes (SEMANTICS A3). */
export const advanceGlobal = (before: Watermark, policy: WatermarkPolicy, nodes: readonly Watermark[]): Watermark =>
  Math.max(before, combineWatermarks(policy, nodes));
