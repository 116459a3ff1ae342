import fc from "fast-check";
import { expect, it } from "vitest";
import { canonical, fromMicros, toMicros } from "../../lib/time/event-time.js";

/** Until 2112 a double of milliseconds holds every microsecond; until 2039 sums of two such doubles do as well. */
const micros = (until: number) => fc.integer({ min: -until, max: until });
const [UNTIL_2039, UNTIL_2112] = [2 ** 41 * 1000, 2 ** 42 * 1000];

it("keeps every microsecond on the way to milliseconds and back", () => {
  fc.assert(fc.property(micros(UNTIL_2112), (time) => toMicros(fromMicros(time)) === time));
});

it("gives one instant one spelling, however it was computed", () => {
  fc.assert(
    fc.property(
      micros(UNTIL_2039 - 1_000_000_000),
      fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
      (time, shift) => {
        expect(canonical(fromMicros(time) + shift / 1000)).toBe(fromMicros(time + shift));
      },
    ),
  );
});
