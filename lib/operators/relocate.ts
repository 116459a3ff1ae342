import type { StateStore } from "../state/state-store.js";
import type { Micros } from "../time/event-time.js";

/**
 * For tables located by expiry: a watermark that a restarted query adds or drops changes where its rows are looked for (SEMANTICS I5).
 * Rows of before move there, so that their groups go on; `expiryOf` null: nothing expires any more. Costs nothing where all stand right.
 */
export function relocate<Value>(store: StateStore<Value>, expiryOf: ((key: string) => Micros | null) | null): void {
  const misplaced = expiryOf === null ? store.expired(Number.POSITIVE_INFINITY) : store.lasting();
  for (const { key, value, expiry } of [...misplaced]) {
    const wanted = expiryOf === null ? null : expiryOf(key);
    if (wanted === expiry) continue;
    store.remove(key, expiry);
    store.put(key, value, wanted);
  }
}
