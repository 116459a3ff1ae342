import { describe, expect, it, test } from "vitest";
import { instantOf, readingOf, requireZone, timeZone, zoneOffset } from "../../lib/time/time-zone.js";
import { codeOf } from "../plan/plans.js";

const HOUR = 3_600_000;

describe("timeZone", () => {
  it.each([
    ["Z", 0],
    ["UTC", 0],
    ["+1", HOUR],
    ["-05:30", -5.5 * HOUR],
    ["+0530", 5.5 * HOUR],
    ["GMT+5:30", 5.5 * HOUR],
    ["+01:02:03", HOUR + 123_000],
    ["EST", -5 * HOUR],
    ["PST", -7 * HOUR],
    ["Asia/Kolkata", 5.5 * HOUR],
    ["Etc/GMT+5", -5 * HOUR],
  ])("%s is %i ms east of UTC in July", (id, offset) => {
    expect(timeZone(id)?.offsetAt(Date.UTC(2024, 6, 1))).toBe(offset);
  });

  it.each(["", "utc", "Mars/Base", "+19", "+18:01", "+1:60", "1", "+100"])("%j is none", (id) => {
    expect(timeZone(id)).toBeNull();
    expect(codeOf(() => requireZone(id))).toBe("time-zone");
  });

  it("knows when clocks change, and that they stood on seconds once", () => {
    const berlin = timeZone("Europe/Berlin")!;
    expect(berlin.offsetAt(Date.UTC(2024, 2, 31, 0, 59, 59))).toBe(HOUR);
    expect(berlin.offsetAt(Date.UTC(2024, 2, 31, 1))).toBe(2 * HOUR);
    expect(berlin.offsetAt(Date.UTC(1850, 0, 1))).toBe(53 * 60_000 + 28_000);
    expect(timeZone("Australia/Lord_Howe")!.offsetAt(Date.UTC(2024, 0, 1))).toBe(11 * HOUR);
  });
});

describe("instantOf", () => {
  const berlin = timeZone("Europe/Berlin")!;

  it("takes the earlier of two, and moves what is skipped by what is skipped", () => {
    expect(instantOf(Date.UTC(2024, 9, 27, 2, 30), berlin)).toBe(Date.UTC(2024, 9, 27, 0, 30));
    expect(instantOf(Date.UTC(2024, 2, 31, 2, 30), berlin)).toBe(Date.UTC(2024, 2, 31, 1, 30));
  });

  it("is undone by readingOf", () => {
    for (const month of [0, 3, 6, 9]) {
      const reading = Date.UTC(2024, month, 15, 12);
      expect(readingOf(instantOf(reading, berlin), berlin)).toBe(reading);
    }
  });
});

test.each([
  ["+1:5", HOUR + 300_000],
  ["-010203", -(HOUR + 123_000)],
  ["+123", null],
  ["+1:2:3", null],
])("zoneOffset(%s) is %s", (text, offset) => {
  expect(zoneOffset(text)).toBe(offset);
});
