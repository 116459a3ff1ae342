import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactInteger, quoteLongNumbers } from "../../lib/sources/exact-integer.js";

describe("exactInteger", () => {
  it.each([
    ["9007199254740993", 9007199254740993n],
    ["-9007199254740993.000", -9007199254740993n],
    ["1.234567890123456789e18", 1234567890123456789n],
    ["12e-1", undefined],
    ["120e-1", 12n],
    ["0.0000000000000000", 0n],
    ["5e-30", undefined],
    ["1e41", undefined],
    ["1e999999999", undefined],
    ["x", undefined],
  ])("reads %s", (literal, value) => {
    expect(exactInteger(literal)).toBe(value);
  });
});

describe("quoteLongNumbers", () => {
  it("quotes long numbers and nothing inside strings", () => {
    expect(quoteLongNumbers('{"12345678901234567":[1,-12345678901234567,"\\"12345678901234567"]}')).toBe(
      '{"12345678901234567":[1,"-12345678901234567","\\"12345678901234567"]}',
    );
  });

  it("leaves every JSON text JSON of the same shape", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary" }), (text) => {
        const loose = (value: unknown): unknown =>
          typeof value === "string" && /^(?=.{16}|.*[eE])-?\d[\d.eE+-]*$/.test(value) ? Number(value) : value;
        const before = JSON.parse(text, (_, value) => loose(value));
        expect(JSON.parse(quoteLongNumbers(text), (_, value) => loose(value))).toEqual(before);
      }),
    );
  });

  it("takes a megabyte string in its stride", () => {
    const text = JSON.stringify({ s: '\\"'.repeat(500_000), n: 1 });
    expect(quoteLongNumbers(text)).toBe(text);
  });
});
