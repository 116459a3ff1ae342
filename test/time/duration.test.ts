import { describe, expect, test } from "vitest";
import { TidemarkError } from "../../lib/errors.js";
import { parseDelay, parseDuration, parseInterval, parseSessionGap } from "../../lib/time/duration.js";

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof TidemarkError) return error.code;
    throw error;
  }
  return "accepted";
};

describe("parseDelay", () => {
  test.each([
    ["0 seconds", 0],
    ["0 months", 0],
    ["10 minutes", 600_000],
    ["5 MINUTES", 300_000],
    ["interval 5 minutes", 300_000],
    ["INTERVAL 1 hour 10 minutes", 4_200_000],
    ["1.5 seconds", 1500],
    [".5 seconds", 500],
    ["999 microseconds", 0],
    ["1500 microseconds", 1],
    ["1 minute -30 seconds", 30_000],
    ["-1 minute + 2 minutes", 60_000],
    ["1 day", 86_400_000],
    ["1 week", 604_800_000],
    ["1 month", 31 * 86_400_000],
    ["1 year", 372 * 86_400_000],
    ["10 min", 600_000],
    ["1h", 3_600_000],
    ["1h30m", 5_400_000],
    ["30s", 30_000],
    ["500 ms", 500],
    ["5minutes", 300_000],
    ["PT10M", 600_000],
    ["P1DT2H3.5S", 86_400_000 + 7_200_000 + 3500],
    ["p1m", 31 * 86_400_000],
    ["-PT-10M", 600_000],
  ])("reads '%s' as %d ms", (text, ms) => {
    expect(parseDelay(text)).toBe(ms);
  });

  test.each(["", " ", "interval", "5", "five minutes", "5 fortnights", "5 minutess", "1.5 minutes", "P", "PT", "P1H"])(
    "refuses '%s' as no interval",
    (text) => {
      expect(codeOf(() => parseDelay(text))).toBe("invalid-interval");
    },
  );

  test("refuses a negative net, however it is written", () => {
    expect(codeOf(() => parseDelay("-5 minutes"))).toBe("negative-delay");
    expect(codeOf(() => parseDelay("1 minute -2 minutes"))).toBe("negative-delay");
    expect(codeOf(() => parseDelay("-PT1S"))).toBe("negative-delay");
    expect(codeOf(() => parseDelay("-1 microsecond"))).toBe("negative-delay");
  });

  test("says which part is wrong and what to write instead", () => {
    expect(() => parseDelay("5")).toThrow(/a unit is missing.*'10 minutes'/);
    expect(() => parseDelay("5 fortnights")).toThrow(/'fortnights' is not a unit/);
  });
});

describe("parseDuration", () => {
  test("keeps microseconds and the sign", () => {
    expect(parseDuration("10 seconds 500 microseconds")).toBe(10_000_500);
    expect(parseDuration("-5 minutes")).toBe(-300_000_000);
    expect(parseDuration("-1.0000019 seconds")).toBe(-1_000_001);
  });

  test("refuses months and years, whose lengths differ", () => {
    expect(codeOf(() => parseDuration("1 month"))).toBe("interval-in-months");
    expect(codeOf(() => parseDuration("P1Y"))).toBe("interval-in-months");
  });

  test("accepts months that cancel out", () => {
    expect(parseDuration("1 year -12 months 1 second")).toBe(1_000_000);
  });
});

test("a session gap may count in months of 31 days", () => {
  expect(parseSessionGap("1 month")).toBe(31 * 86_400_000_000);
});

test("an interval longer than whole microseconds can count is refused", () => {
  expect(codeOf(() => parseInterval("300 years"))).toBe("invalid-interval");
  expect(codeOf(() => parseInterval("99999999999999999999 days"))).toBe("invalid-interval");
});

test("a delay that is no text is refused as an interval, not as a fault of ours", () => {
  expect(codeOf(() => parseDelay(600_000 as never))).toBe("invalid-interval");
});
