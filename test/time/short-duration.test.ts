import { expect, it } from "vitest";
import { parseDuration } from "../../lib/time/duration.js";
import { shortDuration } from "../../lib/time/short-duration.js";

it("says two units, and what it says parses back", () => {
  expect([0, 999, 90_000, 15_300_000, -60_000, 93_784_000].map(shortDuration)).toEqual([
    "0s",
    "999ms",
    "1m 30s",
    "4h 15m",
    "-1m",
    "1d 2h",
  ]);
  expect(parseDuration(shortDuration(15_300_000))).toBe(15_300_000_000);
});
