import { describe, expect, it } from "vitest";
import { compileExpression } from "../../../lib/operators/evaluate/evaluate.js";
import type { DataType } from "../../../lib/plan/schema.js";
import { fromMicros, toMicros } from "../../../lib/time/event-time.js";
import { applied, call, col, schema } from "./expressions.js";

const long = (value: unknown): readonly [unknown, DataType] => [value, "long"];

describe("arithmetic", () => {
  it("stays exact beyond 2^53 and comes back to numbers below", () => {
    expect(applied("add", [long(Number.MAX_SAFE_INTEGER), long(2)])).toBe(9007199254740993n);
    expect(applied("sub", [long(9007199254740993n), long(2)])).toBe(Number.MAX_SAFE_INTEGER);
    expect(applied("mul", [long(3037000500), long(3037000499)])).toBe(9223372033963249500n);
  });

  it("fails where a long or an int overflows, instead of wrapping or rounding", () => {
    expect(() => applied("add", [long(2n ** 63n - 1n), long(1)])).toThrow("arithmetic-overflow");
    expect(() =>
      applied("mul", [
        [2 ** 30, "int"],
        [2, "int"],
      ]),
    ).toThrow("arithmetic-overflow");
    expect(() => applied("negate", [long(-(2n ** 63n))])).toThrow("arithmetic-overflow");
  });

  it("fails on division by zero (ANSI), and divides to double", () => {
    expect(applied("div", [long(7), long(2)])).toBe(3.5);
    expect(() => applied("div", [long(1), long(0)])).toThrow("division-by-zero");
    expect(() => applied("mod", [long(1), long(0)])).toThrow("division-by-zero");
    expect(applied("mod", [long(-7), long(3)])).toBe(-1);
    for (const fn of ["div", "mod"] as const)
      expect(() =>
        applied(fn, [
          [1.5, "double"],
          [0, "double"],
        ]),
      ).toThrow("division-by-zero");
  });

  it("is NULL of NULL", () => {
    expect(applied("add", [long(null), long(1)])).toBeNull();
    expect(applied("abs", [long(null)])).toBeNull();
  });

  it("rounds half away from zero", () => {
    expect([2.5, -2.5, 2.4].map((value) => applied("round", [[value, "double"]]))).toEqual([3, -3, 2]);
    expect(
      applied("round", [
        [1.25, "double"],
        [1, "int"],
      ]),
    ).toBe(1.3);
  });

  it("rounds by the digits as they are written, not by their nearest double", () => {
    const round = (value: number, digits: number) =>
      applied("round", [
        [value, "double"],
        [digits, "int"],
      ]);
    expect([round(1.005, 2), round(2.675, 2), round(-1.005, 2)]).toEqual([1.01, 2.68, -1.01]);
    expect([round(1e-7, 2), round(1.5e300, 2), round(25, -1), round(Number.POSITIVE_INFINITY, 1)]).toEqual([
      0,
      1.5e300,
      30,
      Number.POSITIVE_INFINITY,
    ]);
  });

  it("floors and ceils to long", () => {
    expect(applied("floor", [[-1.5, "double"]])).toBe(-2);
    expect(applied("ceil", [[-1.5, "double"]])).toBe(-1);
    expect(() => applied("floor", [[Number.POSITIVE_INFINITY, "double"]])).toThrow("arithmetic-overflow");
  });

  it("shifts a timestamp by an interval to the microsecond", () => {
    const shifted = (fn: "add" | "sub") =>
      compileExpression(
        call(fn, [col("t"), { kind: "interval", micros: 1500, text: "1500 microseconds" }]),
        schema({ t: "timestamp" }),
      );
    expect(shifted("add")({ t: 0.1 })).toBe(1.6);
    expect(shifted("sub")({ t: 0 })).toBe(-1.5);
  });

  it("shifts every microsecond of the 2040s to the 2240s to the microsecond", () => {
    for (const year of [2040, 2075, 2110, 2140, 2200, 2247]) {
      for (let at = 0; at < 300; at++) {
        const [time, micros] = [Date.UTC(year) * 1000 + at * 7_919, at * 104_729 + 1];
        const shifted = (fn: "add" | "sub") =>
          compileExpression(
            call(fn, [col("t"), { kind: "interval", micros, text: `${micros} microseconds` }]),
            schema({ t: "timestamp" }),
          )({ t: fromMicros(time) }) as number;
        expect(toMicros(shifted("add"))).toBe(time + micros);
        expect(toMicros(shifted("sub"))).toBe(time - micros);
      }
    }
  });
});
