import { describe, expect, it } from "vitest";
import { eventTimeValue } from "../../../lib/operators/evaluate/cast.js";
import type { DataType } from "../../../lib/plan/schema.js";
import { applied } from "./expressions.js";

const cast = (value: unknown, from: DataType, type: DataType) => applied("cast", [[value, from]], { type });

describe("cast", () => {
  it("is an error, not NULL, of what does not convert (ANSI)", () => {
    expect(() => cast("12x", "string", "long")).toThrow("cast-failed");
    expect(() => cast("yesterday", "string", "timestamp")).toThrow("cast-failed");
    expect(() => cast(2 ** 31, "long", "int")).toThrow("cast-failed");
    expect(() => cast(Number.NaN, "double", "long")).toThrow("cast-failed");
    expect(cast(null, "string", "long")).toBeNull();
  });

  it("keeps long texts exact", () => {
    expect(cast(" 9007199254740993 ", "string", "long")).toBe(9007199254740993n);
    expect(cast("-12", "string", "int")).toBe(-12);
  });

  it("truncates doubles to integers", () => {
    expect([1.9, -1.9].map((value) => cast(value, "double", "long"))).toEqual([1, -1]);
  });

  it("converts between numbers of seconds and timestamps", () => {
    expect(cast(1.5, "double", "timestamp")).toBe(1500);
    expect(cast(1500.25, "timestamp", "double")).toBe(1.50025);
    expect(cast(-500, "timestamp", "long")).toBe(-1);
  });

  it("writes timestamps as Spark does", () => {
    expect(cast(0, "timestamp", "string")).toBe("1970-01-01 00:00:00");
    expect(cast(-0.001, "timestamp", "string")).toBe("1969-12-31 23:59:59.999999");
    expect(cast(1230, "timestamp", "string")).toBe("1970-01-01 00:00:01.23");
  });

  it("reads the usual words for booleans", () => {
    expect(["t", "YES", "0", "no"].map((text) => cast(text, "string", "boolean"))).toEqual([true, true, false, false]);
    expect(() => cast("maybe", "string", "boolean")).toThrow("cast-failed");
  });
});

describe("eventTimeValue", () => {
  it("takes ISO texts, dates and epoch milliseconds, and nothing else", () => {
    expect(eventTimeValue("1970-01-01T00:00:00.000001Z")).toBe(0.001);
    expect(eventTimeValue(new Date(5))).toBe(5);
    expect(eventTimeValue(5)).toBe(5);
    expect([eventTimeValue("soon"), eventTimeValue(null), eventTimeValue({}), eventTimeValue(Number.NaN)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("takes no time before the year 1 or after 9999, as a declared column takes none", () => {
    expect(eventTimeValue(253_402_300_799_999)).toBe(253_402_300_799_999);
    expect(eventTimeValue(-62_135_596_800_000)).toBe(-62_135_596_800_000);
    for (const beyond of [253_402_300_800_000, -62_135_596_800_001, 8.64e15, 1e300, -1e308, new Date(8.64e15)])
      expect(eventTimeValue(beyond)).toBeUndefined();
  });

  it("fails a cast of seconds beyond the calendar, where microseconds were taken for seconds", () => {
    expect(() => cast(1_704_067_200_000_000, "long", "timestamp")).toThrow("cast-failed");
  });
});
