import { expect, it } from "vitest";
import { eventTimeWarnings } from "../../lib/runtime/event-time-warnings.js";

const NOW = Date.UTC(2026, 10, 30);

it("TRIALS-2 C6: warns of times before 1990 and of those years ahead, and of no others", () => {
  expect(eventTimeWarnings(null, NOW)).toEqual([]);
  expect(eventTimeWarnings({ min: Date.UTC(1990, 0, 1), max: NOW + 86_400_000 }, NOW)).toEqual([]);
  expect(eventTimeWarnings({ min: 1_700_000_000, max: Date.UTC(2030, 0, 1) }, NOW)).toEqual([
    'Event times go back to 1970-01-20T16:13:20Z, before 1990: numbers that are seconds need timestamp("seconds").',
    "Event times go up to 2030-01-01T00:00:00Z, years ahead of the clock: check the unit of numbers, and the sender's clock.",
  ]);
});
