import type { PollClock } from "../../lib/local/poll-clock.js";

/** Sleeping takes no time but moves the clock. */
export function jumpingClock(start = Date.UTC(2026, 0, 1)): PollClock & { advance(ms: number): void } {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
    async sleep(ms, signal) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!signal.aborted) now += ms;
    },
  };
}
