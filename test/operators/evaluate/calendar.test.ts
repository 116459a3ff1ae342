import { describe, expect, it } from "vitest";
import type { FunctionName } from "../../../lib/plan/expression.js";
import { applied } from "./expressions.js";

const at = Date.parse("2024-02-29T23:59:58.500Z");
const part = (fn: FunctionName, time = at) => applied(fn, [[time, "timestamp"]]);
const truncated = (unit: string, time = at) =>
  new Date(applied("dateTrunc", [[time, "timestamp"]], { unit }) as number).toISOString();

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
