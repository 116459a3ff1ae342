import { describe, expect, it } from "vitest";
import { applied } from "./expressions.js";

const values = [true, false, null];
const table = (fn: "and" | "or") =>
  values.map((a) =>
    values.map((b) =>
      applied(fn, [
        [a, "boolean"],
        [b, "boolean"],
      ]),
    ),
  );

describe("three-valued logic", () => {
  it("AND is false as soon as one side is, else unknown as soon as one side is", () => {
    expect(table("and")).toEqual([
      [true, false, null],
      [false, false, false],
      [null, false, null],
    ]);
  });

  it("OR is true as soon as one side is, else unknown as soon as one side is", () => {
    expect(table("or")).toEqual([
      [true, true, true],
      [true, false, null],
      [true, null, null],
    ]);
  });

  it("NOT of unknown is unknown, isNull of it is not", () => {
    expect(applied("not", [[null, "boolean"]])).toBeNull();
    expect(applied("isNull", [[null, "boolean"]])).toBe(true);
    expect(applied("isNotNull", [[0, "long"]])).toBe(true);
  });
});
