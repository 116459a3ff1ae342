import type { Clock } from "../runtime/clock.js";
import { parseDelay } from "../time/duration.js";

/** A clock that stands still until it is told to go on. Epoch ms. */
export interface ManualClock extends Clock {
  /** @param by an interval, "10 minutes", or milliseconds */
  advance(by: string | number): void;
}

/** @param start epoch ms @example manualClock(Date.UTC(2024, 0, 1)) */
export function manualClock(start: number): ManualClock {
  let time = start;
  return {
    now: () => time,
    advance(by) {
      time += typeof by === "number" ? by : parseDelay(by);
    },
  };
}
