import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CalendarPeriod, calendarGrid, startOfDay } from "../../lib/time/calendar-window.js";
import { readingOf, requireZone } from "../../lib/time/time-zone.js";

const HOUR = 3_600_000_000;

/** The window that holds the instant, in UTC, and its hours. */
function windowOf(time: string, unit: CalendarPeriod["unit"], count: number, timeZone: string): [string, number] {
  const grid = calendarGrid({ unit, count, timeZone });
  const start = grid.startOf(Date.parse(time) * 1000);
  return [new Date(start / 1000).toISOString(), grid.sizeFrom(start) / HOUR];
}

describe("windows of days in a time zone", () => {
  it("have 23 hours when the clock is put forward, 25 when it is put back", () => {
    expect(windowOf("2024-03-30T22:59:59.999Z", "day", 1, "Europe/Berlin")).toEqual(["2024-03-29T23:00:00.000Z", 24]);
    expect(windowOf("2024-03-30T23:00:00Z", "day", 1, "Europe/Berlin")).toEqual(["2024-03-30T23:00:00.000Z", 23]);
    expect(windowOf("2024-03-31T21:59:59.999Z", "day", 1, "Europe/Berlin")).toEqual(["2024-03-30T23:00:00.000Z", 23]);
    expect(windowOf("2024-03-31T22:00:00Z", "day", 1, "Europe/Berlin")).toEqual(["2024-03-31T22:00:00.000Z", 24]);
    expect(windowOf("2024-10-27T12:00:00Z", "day", 1, "Europe/Berlin")).toEqual(["2024-10-26T22:00:00.000Z", 25]);
    expect(windowOf("2024-03-10T12:00:00Z", "day", 1, "America/New_York")).toEqual(["2024-03-10T05:00:00.000Z", 23]);
    expect(windowOf("2024-04-06T20:00:00Z", "day", 1, "Australia/Lord_Howe")).toEqual([
      "2024-04-06T13:00:00.000Z",
      24.5,
    ]);
  });

  it("begin after a midnight that is skipped, and at the first of two", () => {
    // Beirut goes from 24:00 to 01:00, Havana from 01:00 back to 00:00, Asunción from 24:00 back to 23:00.
    expect(windowOf("2024-03-30T22:00:00Z", "day", 1, "Asia/Beirut")).toEqual(["2024-03-30T22:00:00.000Z", 23]);
    expect(windowOf("2024-11-03T05:30:00Z", "day", 1, "America/Havana")).toEqual(["2024-11-03T04:00:00.000Z", 25]);
    expect(windowOf("2024-03-24T03:30:00Z", "day", 1, "America/Asuncion")).toEqual(["2024-03-23T03:00:00.000Z", 25]);
    // Toronto went from 23:30 to 00:30: the day began half an hour after its midnight.
    expect(new Date(startOfDay(Date.UTC(1919, 2, 31) / 86_400_000, requireZone("America/Toronto"))).toISOString()).toBe(
      "1919-03-31T04:30:00.000Z",
    );
  });

  it("leave out a day that a zone left out", () => {
    expect(windowOf("2011-12-30T09:59:59Z", "day", 1, "Pacific/Apia")).toEqual(["2011-12-29T10:00:00.000Z", 24]);
    expect(windowOf("2011-12-30T10:00:00Z", "day", 1, "Pacific/Apia")).toEqual(["2011-12-30T10:00:00.000Z", 24]);
  });

  it("of whole weeks begin on Monday, of months on the first, of three with the quarter, of twelve with the year", () => {
    expect(windowOf("2024-03-31T12:00:00Z", "day", 7, "Europe/Berlin")).toEqual(["2024-03-24T23:00:00.000Z", 167]);
    expect(windowOf("2024-03-31T12:00:00Z", "month", 1, "Europe/Berlin")).toEqual(["2024-02-29T23:00:00.000Z", 743]);
    expect(windowOf("2024-02-29T23:00:00Z", "month", 3, "Europe/Berlin")).toEqual(["2023-12-31T23:00:00.000Z", 2183]);
    expect(windowOf("2024-12-31T22:59:59Z", "month", 12, "Europe/Berlin")).toEqual(["2023-12-31T23:00:00.000Z", 8784]);
    expect(windowOf("1969-12-31T12:00:00Z", "month", 1, "UTC")).toEqual(["1969-12-01T00:00:00.000Z", 744]);
  });

  it("hold every instant once: each ends where the next begins", () => {
    const zones = ["Europe/Berlin", "America/Havana", "Asia/Beirut", "Pacific/Apia", "America/St_Johns", "+05:45"];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom("day" as const, "month" as const),
        fc.integer({ min: 1, max: 14 }),
        fc.integer({ min: Date.UTC(1975, 0, 1), max: Date.UTC(2060, 0, 1) }),
        (timeZone, unit, count, ms) => {
          const grid = calendarGrid({ unit, count, timeZone });
          const start = grid.startOf(ms * 1000);
          const end = start + grid.sizeFrom(start);
          expect(start).toBeLessThanOrEqual(ms * 1000);
          expect(end).toBeGreaterThan(ms * 1000);
          expect(grid.startOf(end)).toBe(end);
          expect(grid.startOf(end - 1)).toBe(start);
          // No window begins within an hour after midnight but at it, unless midnight was skipped.
          const zone = requireZone(timeZone);
          const reading = readingOf(start / 1000, zone) % 86_400_000;
          expect(reading === 0 || zone.offsetAt(start / 1000 - 1) < zone.offsetAt(start / 1000)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});
