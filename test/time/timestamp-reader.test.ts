import { describe, expect, it } from "vitest";
import { checkReading, timestampReader } from "../../lib/time/timestamp-reader.js";
import { codeOf } from "../plan/plans.js";

const NOON = Date.UTC(2024, 6, 1, 12);

describe("timestampReader", () => {
  it("TRIALS-2 C6: counts a number in the declared unit, milliseconds where none is", () => {
    const seconds = NOON / 1000;
    expect(timestampReader()(NOON)).toBe(NOON);
    expect(timestampReader({ unit: "seconds" })(seconds)).toBe(NOON);
    expect(timestampReader({ unit: "seconds" })(seconds + 0.123456)).toBe(NOON + 123.456);
    expect(timestampReader({ unit: "seconds" })(`${seconds}.5`)).toBe(NOON + 500);
    expect(timestampReader({ unit: "microseconds" })(NOON * 1000 + 7)).toBe(NOON + 0.007);
    expect(timestampReader({ unit: "nanoseconds" })(BigInt(NOON) * 1_000_000n + 7999n)).toBe(NOON + 0.007);
    expect(timestampReader({ unit: "microseconds" })(-1)).toBe(-0.001);
    expect(timestampReader({ unit: "nanoseconds" })("-1")).toBe(-0.001);
  });

  it("takes text by Spark's cast beside the unit, and by the format alone where there is one", () => {
    expect(timestampReader({ unit: "seconds" })("2024-07-01 12:00:00 UTC")).toBe(NOON);
    const born = timestampReader({ format: "MMM d yyyy", timeZone: "+02:00" });
    expect(born("Jul 1 2024")).toBe(NOON - 14 * 3_600_000);
    expect(born("2024-07-01")).toBeUndefined();
    expect(timestampReader({ format: "yyyyMMdd" })(20240701)).toBe(Date.UTC(2024, 6, 1));
    expect(timestampReader({ format: "yyyyMMdd", unit: "seconds" })(NOON / 1000)).toBe(NOON);
  });

  it.each([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e300,
    253_402_300_800_000,
    8_796_093_022_209.5,
    true,
    {},
    [],
    "soon",
  ])("takes no %s", (value) => {
    expect(timestampReader()(value)).toBeUndefined();
  });

  it("shows a mistake where it is declared", () => {
    expect(codeOf(() => checkReading({ unit: "minutes" as never }))).toBe("option-invalid");
    expect(codeOf(() => checkReading({ timeZone: "Berlin" }))).toBe("time-zone");
    expect(codeOf(() => checkReading({ format: "YYYY" }))).toBe("time-pattern");
  });
});
