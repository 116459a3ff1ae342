import type { Registers } from "../checkpoint/registers.js";
import type { StateView, TableSpec } from "../state/state-store.js";
import type { Micros } from "../time/event-time.js";

/** When the state that a commit leaves is next due by either clock; what a tick is told without reading it. */
export function dueTimes(
  tables: readonly TableSpec[],
  state: StateView,
): Pick<Registers, "oldestExpiry" | "nextTimer"> {
  let oldestExpiry: Micros | null = null;
  let nextTimer: Micros | null = null;
  for (const spec of tables) {
    if (spec.clock === "processingTime") nextTimer = earlier(nextTimer, state.table(spec).firstExpiry());
    else if (spec.locate === "expiry") oldestExpiry = earlier(oldestExpiry, state.table(spec).firstExpiry());
  }
  return { oldestExpiry, nextTimer: nextTimer === null ? null : Math.ceil(nextTimer / 1000) };
}

const earlier = (a: Micros | null, b: Micros | null): Micros | null =>
  a === null ? b : b === null ? a : Math.min(a, b);
