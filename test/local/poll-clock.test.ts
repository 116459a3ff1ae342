import { expect, it } from "vitest";
import { systemPollClock } from "../../lib/local/poll-clock.js";

it("wakes at once when the signal fires, before or during the sleep", async () => {
  const start = performance.now();
  await systemPollClock.sleep(60_000, AbortSignal.abort());
  const stopping = new AbortController();
  const sleeping = systemPollClock.sleep(60_000, stopping.signal);
  stopping.abort();
  await sleeping;
  expect(performance.now() - start).toBeLessThan(10_000);
});
