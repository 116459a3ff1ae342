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
    if (spec.clock === "processingTime") nextTimer = earlier(nextTimer, firstTimer(spec, state));
    else if (spec.locate === "expiry") oldestExpiry = earlier(oldestExpiry, firstExpiry(spec, state));
  }
  return { oldestExpiry, nextTimer: nextTimer === null ? null : Math.ceil(nextTimer / 1000) };
}

/** Costs the number of distinct expiries. */
function firstExpiry(spec: TableSpec, state: StateView): Micros | null {
  for (const { expiry } of state.table(spec).expired(Number.MAX_SAFE_INTEGER)) return expiry;
  return null;
}

/** Costs a look at every row that expires by processing time, which only stateful processors have. */
function firstTimer(spec: TableSpec, state: StateView): Micros | null {
  let first: Micros | null = null;
  for (const { expiry } of state.table(spec).rows()) first = earlier(first, expiry);
  return first;
}

const earlier = (a: Micros | null, b: Micros | null): Micros | null =>
  a === null ? b : b === null ? a : Math.min(a, b);
