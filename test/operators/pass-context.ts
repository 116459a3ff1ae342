import type { LateRow, PassContext, RejectedRow } from "../../lib/operators/operator.js";
import { memoryState } from "../../lib/state/staged-state.js";
import { NO_WATERMARK } from "../../lib/time/event-time.js";

/** For operators without state of their own. */
export function passContext(overrides: Partial<PassContext> = {}) {
  const late: LateRow[] = [];
  const withoutTime: RejectedRow[] = [];
  const context: PassContext = {
    watermarkForLateEvents: NO_WATERMARK,
    watermarkForEviction: NO_WATERMARK,
    processingTime: 0,
    state: memoryState().stage(),
    late: (row) => late.push(row),
    withoutTime: (row) => withoutTime.push(row),
    ...overrides,
  };
  return { context, late, withoutTime };
}
