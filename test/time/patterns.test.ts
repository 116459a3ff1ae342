import { describe, expect, it } from "vitest";
import { compileTimestampFormat } from "../../lib/time/format-pattern.js";
import { compileTimestampParser } from "../../lib/time/parse-pattern.js";
import { timeZone } from "../../lib/time/time-zone.js";
import { parseTimestampText } from "../../lib/time/timestamp-text.js";
import { codeOf } from "../plan/plans.js";
import { beyondOurs, microsText, sparkValues } from "./spark-values.js";

type Refused = { readonly error: string };
type Read = readonly [pattern: string, text: string, micros: string | null | Refused];
type Written = readonly [zone: string, time: string, pattern: string, text: string | Refused];

/** Weekdays, and a fraction that follows digits: read here, not by Spark. Zone names in full: not here. */
const OURS = new Map<string, string | null>([
  ["Tue, 01 Apr 2014 00:11:00 GMT", "1396311060000000"],
  ["Tuesday, April 1, 2014", "1396310400000000"],
  ["Tue Apr 1 2014", "1396310400000000"],
  ["Mon Apr 1 2014", null],
  ["20140401010203123", "1396314123123000"],
  ["2014-04-01 01:02:03Pacific Standard Time", "time-pattern"],
]);

const outcome = (read: () => string | null): string | null => {
  try {
    return read();
  } catch (error) {
    return codeOf(() => {
      throw error;
    });
  }
};

describe("compileTimestampParser", () => {
  it.each(sparkValues<Read>("timestamp-by-pattern"))(
    "TRIALS-2 C5: by %j reads %j as Spark does",
    (pattern, text, is) => {
      const spark = typeof is === "object" && is !== null ? "time-pattern" : beyondOurs(is) ? null : is;
      expect(outcome(() => microsText(compileTimestampParser(pattern)(text)))).toBe(
        OURS.has(text) ? OURS.get(text) : spark,
      );
    },
  );

  it.each([
    ["d.M.yyyy H:mm", "3.9.2024 7:05", Date.UTC(2024, 8, 3, 5, 5)],
    ["yyyy-MM-dd'T'HH:mm[:ss][XXX]", "2024-07-01T12:00", Date.UTC(2024, 6, 1, 10)],
    ["yyyy-MM-dd'T'HH:mm[:ss][XXX]", "2024-07-01T12:00:30+09:00", Date.UTC(2024, 6, 1, 3, 0, 30)],
    ["EEE, d MMM yyyy HH:mm:ss Z", "Mon, 1 Jul 2024 12:00:00 -0400", Date.UTC(2024, 6, 1, 16)],
    ["EEE MMM dd HH:mm:ss z yyyy", "Mon Jul 01 12:00:00 PDT 2024", Date.UTC(2024, 6, 1, 19)],
  ])("by %j reads %j, without a zone by the given clocks", (pattern, text, time) => {
    expect(compileTimestampParser(pattern, timeZone("Europe/Berlin")!)(text)).toBe(time);
  });

  it.each([
    ["yyyy-MM-dd HH:mm a", "2024-07-01 13:00 AM"],
    ["EEE yyyy-MM-dd", "Sun 2024-07-01"],
    ["yyyy-DDD MM", "2024-183 08"],
    ["yyyy-DDD", "2023-366"],
    ["yyyy-MM-dd HH", "2024-07-01 24"],
  ])("by %j takes no text that contradicts itself: %j", (pattern, text) => {
    expect(compileTimestampParser(pattern)(text)).toBeNaN();
  });

  it("refuses a pattern that cannot be read, in words", () => {
    expect(() => compileTimestampParser("YYYY-MM-dd")).toThrow("'Y' is no pattern letter");
    expect(() => compileTimestampParser("yyyy [MM")).toThrow("'[' is not closed");
  });
});

describe("compileTimestampFormat", () => {
  it("TRIALS-2 C5: writes as Spark's date_format, by every letter", () => {
    for (const [zone, time, pattern, text] of sparkValues<Written>("date-format")) {
      const ours =
        pattern.startsWith("z") && zone !== "UTC" ? "time-pattern" : typeof text === "object" ? "time-pattern" : text;
      const write = () => compileTimestampFormat(pattern, timeZone(zone)!)(parseTimestampText(time));
      expect([zone, time, pattern, outcome(write)]).toEqual([zone, time, pattern, ours]);
    }
  });

  it("is read back by the parser", () => {
    const pattern = "yyyy-MM-dd HH:mm:ss.SSSSSS XXX";
    const zone = timeZone("America/St_Johns")!;
    for (const time of [-0.001, 1_720_000_000_000.25, Date.UTC(1969, 6, 20, 20, 17)]) {
      const text = compileTimestampFormat(pattern, zone)(time);
      expect(compileTimestampParser(pattern)(text)).toBe(time);
    }
  });
});
