import { describe, expect, it } from "vitest";
import { applied } from "./expressions.js";

describe("texts", () => {
  it("count characters by code point", () => {
    expect(applied("length", [["a😀", "string"]])).toBe(2);
    expect(
      applied("substring", [
        ["a😀b", "string"],
        [2, "int"],
        [1, "int"],
      ]),
    ).toBe("😀");
  });

  it("substring counts from 1, from the end if negative", () => {
    expect(
      applied("substring", [
        ["abcd", "string"],
        [-2, "int"],
      ]),
    ).toBe("cd");
    expect(
      applied("substring", [
        ["abcd", "string"],
        [0, "int"],
        [2, "int"],
      ]),
    ).toBe("ab");
    expect(
      applied("substring", [
        ["abcd", "string"],
        [null, "int"],
      ]),
    ).toBeNull();
  });

  it("concat is NULL if a part is, and writes other types as text", () => {
    expect(
      applied("concat", [
        ["a", "string"],
        [null, "string"],
      ]),
    ).toBeNull();
    expect(
      applied("concat", [
        ["a", "string"],
        [1, "long"],
        [2, "double"],
      ]),
    ).toBe("a12.0");
  });

  it("trims blanks alone", () => {
    expect(applied("trim", [["  a\t ", "string"]])).toBe("a\t");
  });

  it("tests for parts and patterns", () => {
    expect(
      applied("contains", [
        ["abc", "string"],
        ["b", "string"],
      ]),
    ).toBe(true);
    expect(
      applied("startsWith", [
        ["abc", "string"],
        ["b", "string"],
      ]),
    ).toBe(false);
    expect(
      applied("endsWith", [
        ["abc", "string"],
        ["bc", "string"],
      ]),
    ).toBe(true);
    expect(
      applied("regexpLike", [
        ["abc", "string"],
        ["^a.c$", "string"],
      ]),
    ).toBe(true);
    expect(() =>
      applied("regexpLike", [
        ["abc", "string"],
        ["(", "string"],
      ]),
    ).toThrow("regexp-invalid");
  });

  it("TRIALS-2 E4: trims in one pass, whatever stands inside", () => {
    const blanks = " ".repeat(1_000_000);
    const trimmed = applied("trim", [[`${blanks}a${blanks}b${blanks}`, "string"]]) as string;
    expect([trimmed.length, trimmed.at(0), trimmed.at(-1)]).toEqual([1_000_002, "a", "b"]);
    expect(applied("trim", [[blanks, "string"]])).toBe("");
  });

  it("changes case", () => {
    expect(applied("upper", [["aß", "string"]])).toBe("ASS");
    expect(applied("lower", [["AB", "string"]])).toBe("ab");
  });
});
