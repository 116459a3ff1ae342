import { type Clock, systemClock } from "../runtime/clock.js";

/** Time that can also pass: a test's clock jumps where the system's waits. */
export interface PollClock extends Clock {
  /** Returns early, without an error, when the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemPollClock: PollClock = {
  now: () => systemClock.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done);
    }),
};
