import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDuration } from "../../lib/time/duration.js";
import { durationText } from "../../lib/time/duration-text.js";

test("an interval is written in the largest units that divide it", () => {
  expect(durationText(5_400_000_000)).toBe("1 hour 30 minutes");
  expect(durationText(-1_000_500)).toBe("-1 second -500 microseconds");
  expect(durationText(0)).toBe("0 seconds");
});

test("what is written is read back to the microsecond", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e15, max: 1e15 }), (micros) => {
      expect(parseDuration(durationText(micros))).toBe(micros);
    }),
  );
});
