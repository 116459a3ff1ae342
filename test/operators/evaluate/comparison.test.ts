import { describe, expect, it } from "vitest";
import { applied } from "./expressions.js";

describe("comparisons", () => {
  it("are unknown if a side is NULL, but for the null-safe equality", () => {
    expect(
      applied("eq", [
        [null, "long"],
        [null, "long"],
      ]),
    ).toBeNull();
    expect(
      applied("eqNullSafe", [
        [null, "long"],
        [null, "long"],
      ]),
    ).toBe(true);
    expect(
      applied("eqNullSafe", [
        [null, "long"],
        [1, "long"],
      ]),
    ).toBe(false);
  });

  it("read a json value as a time where they meet a timestamp", () => {
    const noon = Date.UTC(2024, 0, 1, 12);
    const before = (value: unknown) =>
      applied("lt", [
        [value, "json"],
        [noon, "timestamp"],
      ]);
    const values = [
      "2024-01-01T11:59:59Z",
      "2024-01-01T12:00:00Z",
      new Date(noon - 1),
      noon - 1,
      "soon",
      { at: 1 },
      null,
    ];
    expect(values.map(before)).toEqual([true, false, true, true, null, null, null]);
    expect(
      applied("eqNullSafe", [
        [noon, "timestamp"],
        ["2024-01-01T13:00:00+01:00", "json"],
      ]),
    ).toBe(true);
  });

  it("compare number and bigint by value, without rounding", () => {
    expect(
      applied("eq", [
        [5, "long"],
        [5n, "long"],
      ]),
    ).toBe(true);
    expect(
      applied("lt", [
        [2 ** 53, "long"],
        [2n ** 53n + 1n, "long"],
      ]),
    ).toBe(true);
  });

  it("hold NaN equal to itself and above infinity", () => {
    expect(
      applied("eq", [
        [Number.NaN, "double"],
        [Number.NaN, "double"],
      ]),
    ).toBe(true);
    expect(
      applied("gt", [
        [Number.NaN, "double"],
        [Number.POSITIVE_INFINITY, "double"],
      ]),
    ).toBe(true);
  });

  it("order texts by UTF-8 bytes: an emoji is above U+FFFD, though its UTF-16 units are below", () => {
    expect(
      applied("gt", [
        ["😀", "string"],
        ["\ufffd", "string"],
      ]),
    ).toBe(true);
    expect(
      applied("ne", [
        ["a", "string"],
        ["b", "string"],
      ]),
    ).toBe(true);
    expect(
      applied("le", [
        ["a", "string"],
        ["ab", "string"],
      ]),
    ).toBe(true);
    expect(
      applied("ge", [
        ["a", "string"],
        ["ab", "string"],
      ]),
    ).toBe(false);
  });

  it("take windows for equal if both bounds are", () => {
    const window = { start: 0, end: 60_000 };
    expect(
      applied("eq", [
        [window, "window"],
        [{ ...window }, "window"],
      ]),
    ).toBe(true);
    expect(
      applied("eq", [
        [window, "window"],
        [{ start: 0, end: 1 }, "window"],
      ]),
    ).toBe(false);
  });
});
