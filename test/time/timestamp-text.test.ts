import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timeZone } from "../../lib/time/time-zone.js";
import { parseTimestampText, trimmed } from "../../lib/time/timestamp-text.js";
import { beyondOurs, microsText, sparkValues } from "./spark-values.js";

type Recorded = readonly [text: string, micros: string | null];

/** ISO 8601 that Spark does not take, and a time of no date, which in Spark is today's. */
const OURS = new Map<string, string | null>([
  ["2014-04-01t01:02:03", "1396314123000000"],
  ["2014-04-01 01:02:03,5", "1396314123500000"],
  ["2014-04-01T01:02:03z", "1396314123000000"],
  ["2014-04-01T01:02Z", "1396314120000000"],
  ["T01:02:03", null],
  ["01:02:03", null],
  ["12:34", null],
]);

describe("parseTimestampText", () => {
  it.each(sparkValues<Recorded>("timestamp-from-text"))("TRIALS-2 C5: reads %j as Spark's cast: %s", (text, micros) => {
    const expected = OURS.has(text) ? OURS.get(text) : beyondOurs(micros) ? null : micros;
    expect(microsText(parseTimestampText(text))).toBe(expected);
  });

  it("reads text without a zone by the clocks of the zone that is given", () => {
    const berlin = timeZone("Europe/Berlin")!;
    expect(parseTimestampText("2024-07-01 12:00", berlin)).toBe(Date.UTC(2024, 6, 1, 10));
    expect(parseTimestampText("2024-07-01 12:00:00Z", berlin)).toBe(Date.UTC(2024, 6, 1, 12));
    expect(parseTimestampText("2024-7", berlin)).toBe(Date.UTC(2024, 5, 30, 22));
  });

  it("tells microseconds apart as far as it says, and takes none beyond", () => {
    expect(parseTimestampText("2248-09-26 15:10:22.207999")).toBe(8_796_093_022_207.999);
    expect(parseTimestampText("2248-09-26 15:10:22.208001")).toBeNaN();
    expect(parseTimestampText("9999-12-30T23:59:59.999Z")).toBe(253_402_214_399_999);
  });

  it("keeps every microsecond of 1700 to 2248", () => {
    fc.assert(
      fc.property(fc.bigInt(-8_520_336_000_000_000n, 8_796_093_022_207_999n), (micros) => {
        const ms = Number(micros / 1000n) - (micros % 1000n < 0n ? 1 : 0);
        const below = ((micros % 1000n) + 1000n) % 1000n;
        const text = `${new Date(ms).toISOString().slice(0, -1)}${String(below).padStart(3, "0")}`;
        expect(microsText(parseTimestampText(` ${text.replace("T", " ")} UTC`))).toBe(String(micros));
      }),
    );
  });

  it("ends at once with text of any length", () => {
    const blanks = " ".repeat(1_000_000);
    expect(parseTimestampText(`2014${blanks}x`)).toBeNaN();
    expect(trimmed(`${blanks}a${blanks}b${blanks}`)).toHaveLength(1_000_002);
  });
});
