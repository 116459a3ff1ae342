import type { Registers } from "../checkpoint/registers.js";
import type { PartitionPosition, StagedState } from "../checkpoint/state-partition.js";
import type { PassResult, PhysicalQuery } from "../planner/physical-query.js";
import type { Watermark } from "../time/event-time.js";
import type { WatermarkAdvance } from "./query-watermark.js";

export interface PassesRequest {
  readonly query: PhysicalQuery;
  readonly position: PartitionPosition;
  readonly staged: StagedState;
  readonly processingTime: number;
  /** Whether an advanced watermark is worth a pass of its own (SEMANTICS A9). */
  readonly noDataPasses: boolean;
}

export interface PassesOutcome {
  /** In the order in which they ran. */
  readonly passes: readonly PassResult[];
  readonly lastPassWatermark: Watermark;
  readonly watermark: Watermark;
  readonly registers: Registers;
  readonly heldBackBy: string | null;
}

/**
 * The passes of one commit (DESIGN.md section 2): leading, data, follow-up. `late` and `evict` are never one variable, for rows
 * evicted upstream must not be late downstream (SEMANTICS H2, H6). `feedRows` null: a tick, no data pass.
 */
export function runPasses(
  { query, position, staged, processingTime, noDataPasses }: PassesRequest,
  feedRows: (() => void) | null,
  advance: (data: PassResult | null) => WatermarkAdvance,
): PassesOutcome {
  const passes: PassResult[] = [];
  let lastPassWatermark = position.lastPassWatermark;
  const pass = (evict: Watermark, rows: (() => void) | null): PassResult => {
    query.beginPass({
      watermarkForLateEvents: lastPassWatermark,
      watermarkForEviction: evict,
      processingTime,
      state: staged,
    });
    rows?.();
    const result = query.endPass();
    passes.push(result);
    lastPassWatermark = evict;
    return result;
  };

  if (position.watermark > lastPassWatermark && noDataPasses) pass(position.watermark, null);
  const data = feedRows === null ? null : pass(position.watermark, feedRows);
  const { watermark, registers, heldBackBy } = advance(data);
  if (watermark > position.watermark && noDataPasses) pass(watermark, null);
  return { passes, lastPassWatermark, watermark, registers, heldBackBy };
}
