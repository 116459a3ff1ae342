import type { StateView, TableSpec } from "../state/state-store.js";

/**
 * Epoch ms at which the earliest processing-time timer or time-to-live is due; null: there is none. Costs a pass over the rows
 * that expire by that clock, which only stateful processors have.
 */
export function nextTimerOf(tables: readonly TableSpec[], state: StateView): number | null {
  let next: number | null = null;
  for (const spec of tables) {
    if (spec.clock !== "processingTime") continue;
    for (const { expiry } of state.table(spec).rows())
      if (expiry !== null && (next === null || expiry < next)) next = expiry;
  }
  return next === null ? null : Math.ceil(next / 1000);
}
