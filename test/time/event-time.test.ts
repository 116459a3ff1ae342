import fc from "fast-check";
import { expect, it } from "vitest";
import { canonical, fromMicros, NO_WATERMARK, shifted, toMicros } from "../../lib/time/event-time.js";

/** Until 2248 a double of milliseconds tells microseconds apart; until 2039 sums of two such doubles do as well. */
const micros = (until: number, from = -until) => fc.integer({ min: from, max: until });
const [UNTIL_2039, FROM_2109, FROM_2112, UNTIL_2248] = [2 ** 41 * 1000, 2 ** 42 * 1000, 2 ** 52, 2 ** 43 * 1000];
const FROM_2040 = Date.UTC(2040) * 1000;
const HOUR = 3_600_000_000;

it("keeps every microsecond on the way to milliseconds and back, until 2248", () => {
  for (const range of [micros(UNTIL_2248), micros(FROM_2112, FROM_2109), micros(-FROM_2109, -FROM_2112)])
    fc.assert(fc.property(range, (time) => toMicros(fromMicros(time)) === time));
});

it("gives one instant one spelling, however it was computed", () => {
  fc.assert(
    fc.property(micros(UNTIL_2039 - HOUR), micros(HOUR), (time, shift) => {
      expect(canonical(fromMicros(time) + shift / 1000)).toBe(fromMicros(time + shift));
    }),
  );
});

it("shifts to the microsecond between 2040 and 2248, where a sum of doubles is one off", () => {
  fc.assert(
    fc.property(micros(UNTIL_2248 - HOUR, FROM_2040), micros(HOUR), (time, shift) => {
      expect(toMicros(shifted(fromMicros(time), shift))).toBe(time + shift);
      expect(shifted(fromMicros(time), shift)).toBe(fromMicros(time + shift));
    }),
    { numRuns: 2_000 },
  );
});

it("shifts from 2040 to 2248 and back in one step", () => {
  const [time, shift] = [FROM_2040 + 1, 208 * 365 * 24 * HOUR + 333];
  expect(toMicros(shifted(fromMicros(time), shift))).toBe(time + shift);
  expect(toMicros(shifted(fromMicros(time + shift), -shift))).toBe(time);
});

it("shifts distant times, which are whole milliseconds, to the nearest millisecond", () => {
  const distant = Date.UTC(2300);
  expect(shifted(distant, 1_500_400)).toBe(distant + 1_500);
  expect(shifted(distant, -1_500_600)).toBe(distant - 1_501);
  expect(shifted(-distant * 3, 86_400_000_000)).toBe(-distant * 3 + 86_400_000);
  // Out of the range of microseconds, and into it.
  expect(shifted(Date.UTC(2254), 10 * 365 * 24 * HOUR + 1)).toBe(Date.UTC(2254) + (10 * 365 * 24 * HOUR) / 1000);
  expect(toMicros(shifted(distant, -100 * 365 * 24 * HOUR + 7))).toBe(distant * 1000 - 100 * 365 * 24 * HOUR + 7);
});

it("leaves the watermark of no rows what it is", () => {
  expect(toMicros(NO_WATERMARK)).toBe(Number.NEGATIVE_INFINITY);
});
