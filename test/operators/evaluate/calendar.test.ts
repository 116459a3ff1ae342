import { describe, expect, it } from "vitest";
import type { FunctionName } from "../../../lib/plan/expression.js";
import { applied } from "./expressions.js";

const at = Date.parse("2024-02-29T23:59:58.500Z");
const part = (fn: FunctionName, time = at) => applied(fn, [[time, "timestamp"]]);
const truncated = (unit: string, time = at, options = {}) =>
  new Date(applied("dateTrunc", [[time, "timestamp"]], { unit, ...options }) as number).toISOString();

describe("calendar", () => {
  it("reads the parts of a time in UTC; Sunday is 1", () => {
    expect(
      (["year", "month", "dayOfMonth", "dayOfWeek", "hour", "minute", "second"] as const).map((fn) => part(fn)),
    ).toEqual([2024, 2, 29, 5, 23, 59, 58]);
    expect(part("dayOfWeek", Date.parse("2024-03-03"))).toBe(1);
  });

  it("truncates down, weeks to Monday, also before 1970", () => {
    expect(truncated("hour")).toBe("2024-02-29T23:00:00.000Z");
    expect(truncated("week")).toBe("2024-02-26T00:00:00.000Z");
    expect(truncated("quarter")).toBe("2024-01-01T00:00:00.000Z");
    expect(truncated("year")).toBe("2024-01-01T00:00:00.000Z");
    expect(truncated("minute", -1)).toBe("1969-12-31T23:59:00.000Z");
    expect(truncated("month", -1)).toBe("1969-12-01T00:00:00.000Z");
  });

  it("truncates in a time zone as java.time does", () => {
    const inZone = (unit: string, time: string, timeZone: string) => truncated(unit, Date.parse(time), { timeZone });
    expect(inZone("day", "2024-03-31T12:00:00Z", "Europe/Berlin")).toBe("2024-03-30T23:00:00.000Z");
    expect(inZone("week", "2024-03-31T12:00:00Z", "Europe/Berlin")).toBe("2024-03-24T23:00:00.000Z");
    expect(inZone("quarter", "2024-05-15T00:00:00Z", "Europe/Berlin")).toBe("2024-03-31T22:00:00.000Z");
    expect(inZone("hour", "2024-05-15T00:10:00Z", "Asia/Kolkata")).toBe("2024-05-14T23:30:00.000Z");
    expect(inZone("second", "2024-05-15T00:10:00.500Z", "Asia/Kolkata")).toBe("2024-05-15T00:10:00.000Z");
    // The hour that comes twice keeps the offset of the instant; so does the day of a midnight that comes twice, and the week does not.
    expect(inZone("hour", "2024-10-27T00:30:00Z", "Europe/Berlin")).toBe("2024-10-27T00:00:00.000Z");
    expect(inZone("hour", "2024-10-27T01:30:00Z", "Europe/Berlin")).toBe("2024-10-27T01:00:00.000Z");
    expect(inZone("day", "2024-11-03T04:30:00Z", "America/Havana")).toBe("2024-11-03T04:00:00.000Z");
    expect(inZone("day", "2024-11-03T05:30:00Z", "America/Havana")).toBe("2024-11-03T05:00:00.000Z");
    // Midnight is skipped.
    expect(inZone("day", "2024-03-31T10:00:00Z", "Asia/Beirut")).toBe("2024-03-30T22:00:00.000Z");
  });

  it("refuses a unit that it does not know when the query is compiled", () => {
    expect(() => truncated("fortnight")).toThrow("date-unit");
  });

  it("takes json times as they come", () => {
    expect(applied("year", [["2024-05-01T00:00:00Z", "json"]])).toBe(2024);
  });

  it("converts epoch numbers", () => {
    expect(applied("timestampSeconds", [[1.5, "double"]])).toBe(1500);
    for (const fn of ["timestampSeconds", "timestampMillis"] as const)
      expect(() => applied(fn, [[1.7e18, "double"]])).toThrow("cast-failed");
    expect(applied("timestampMillis", [[5, "long"]])).toBe(5);
    expect(part("unixMillis", -0.5)).toBe(-1);
  });
});
