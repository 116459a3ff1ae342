import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseIsoTimestamp } from "../../lib/time/iso-timestamp.js";

describe("parseIsoTimestamp", () => {
  it.each([
    ["1970-01-01T00:00:00Z", 0],
    ["2024-02-29T12:34:56.789Z", Date.UTC(2024, 1, 29, 12, 34, 56, 789)],
    ["2024-02-29 12:34:56.789", Date.UTC(2024, 1, 29, 12, 34, 56, 789)],
    ["2024-02-29T12:34Z", Date.UTC(2024, 1, 29, 12, 34)],
    ["2024-02-29", Date.UTC(2024, 1, 29)],
    ["2024-03-01T00:30:00+01:00", Date.UTC(2024, 1, 29, 23, 30)],
    ["2024-03-01T00:30:00-0530", Date.UTC(2024, 2, 1, 6, 0)],
    ["2024-03-01T00:30:00+14", Date.UTC(2024, 1, 29, 10, 30)],
    ["1969-12-31T23:59:59.999Z", -1],
  ])("reads %s", (text, ms) => {
    expect(parseIsoTimestamp(text)).toBe(ms);
  });

  it("keeps six fraction digits and cuts the rest", () => {
    expect(parseIsoTimestamp("1970-01-01T00:00:00.000001Z")).toBe(0.001);
    expect(parseIsoTimestamp("1970-01-01T00:00:01.1234567Z")).toBe(1123.456);
    expect(parseIsoTimestamp("1969-12-31T23:59:59.999999Z")).toBe(-0.001);
  });

  it.each([
    "",
    "now",
    "2024",
    "2024-1-1",
    "2024-13-01",
    "2023-02-29",
    "2024-04-31T00:00:00Z",
    "2024-01-01T24:00:00Z",
    "2024-01-01T00:60:00Z",
    "2024-01-01T00:00:60Z",
    "2024-01-01T00:00:00.Z",
    "2024-01-01T00:00:00Zjunk",
    "2024-01-01T00:00:00+1",
    "2024-01-01T00:00:00+01:60",
    "2024-01-01\u000000:00:00Z",
    "2024-01-01T00:00:0",
    "2024-01-01T",
  ])("refuses %j", (text) => {
    expect(parseIsoTimestamp(text)).toBeNaN();
  });

  it("agrees with Date.parse on every instant that Date can write with four year digits", () => {
    const instant = fc.integer({ min: Date.UTC(0, 0, 1) - 1900 * 366 * 86_400_000, max: Date.UTC(9999, 11, 31) });
    fc.assert(
      fc.property(
        instant.filter((ms) => /^\d{4}-/.test(new Date(ms).toISOString())),
        (ms) => {
          expect(parseIsoTimestamp(new Date(ms).toISOString())).toBe(ms);
        },
      ),
    );
  });

  it("answers any text with a number, never with an error", () => {
    const near = fc.stringMatching(/^[0-9]{4}-[01][0-9]-[0-3][0-9][T ][0-2][0-9]:[0-5][0-9](:[0-9.,+Zz-]{0,12})?$/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), near), (text) => {
        expect(typeof parseIsoTimestamp(text)).toBe("number");
      }),
    );
  });
});
