import { describe, expect, it } from "vitest";
import { isoDay, isoLocalTime, isoTime } from "../../lib/time/iso-time.js";

const noon = Date.UTC(2024, 0, 1, 12);

describe("isoTime", () => {
  it("writes no, three or six fraction digits", () => {
    expect([noon, noon + 10, noon + 0.5].map(isoTime)).toEqual([
      "2024-01-01T12:00:00Z",
      "2024-01-01T12:00:00.010Z",
      "2024-01-01T12:00:00.000500Z",
    ]);
  });

  it("counts microseconds up from the second below, before 1970 too", () => {
    expect(isoTime(-0.001)).toBe("1969-12-31T23:59:59.999999Z");
    expect(isoLocalTime(-1)).toBe("1969-12-31T23:59:59.999");
  });

  it("writes a number that is no date as a number", () => {
    expect(isoTime(Number.POSITIVE_INFINITY)).toBe("Infinity");
    expect(isoTime(1e300)).toBe("1e+300");
  });
});

describe("isoDay", () => {
  it("is the day in UTC, or null outside the years of four digits", () => {
    expect(isoDay(Date.UTC(2024, 1, 29, 23, 59, 59, 999) + 0.999)).toBe("2024-02-29");
    expect(isoDay(-0.001)).toBe("1969-12-31");
    expect(isoDay(Date.UTC(10_000, 0, 1))).toBeNull();
    expect(isoDay(Number.NaN)).toBeNull();
  });
});
