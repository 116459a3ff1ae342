import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../lib/sources/decode-limits.js";
import { decodeRow, encodeRow, MAX_DEPTH } from "../../lib/state/row-codec.js";

const leaf = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.bigInt(),
  fc.string({ unit: "binary" }),
  fc.date(),
  fc.uint8Array(),
);
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("value")),
    fc.dictionary(fc.string(), tie("value"), { noNullPrototype: true }),
  ),
})).value;

describe("the row codec", () => {
  it("gives back every value that it takes", () => {
    fc.assert(fc.property(value, (v) => void expect(decodeRow(encodeRow(v))).toStrictEqual(v)));
  });

  it("gives equal values equal bytes, whatever the order of their keys", () => {
    expect(encodeRow({ b: 1, a: { d: 2, c: 3 } })).toEqual(encodeRow({ a: { c: 3, d: 2 }, b: 1 }));
  });

  it("keeps -0, NaN, infinities, microseconds and the last safe integer", () => {
    for (const v of [
      -0,
      0,
      Number.NaN,
      Infinity,
      -Infinity,
      1700000000000.123,
      2 ** 53 - 1,
      -(2 ** 53 - 1),
      2 ** 60,
      5e-324,
    ]) {
      expect(Object.is(decodeRow(encodeRow(v)), v)).toBe(true);
    }
  });

  it("keeps texts with lone surrogates apart", () => {
    expect(decodeRow(encodeRow("\ud800"))).toBe("\ud800");
    expect(encodeRow("\ud800")).not.toEqual(encodeRow("\udbff"));
  });

  it("stores an event time in eight bytes or less", () => {
    expect(encodeRow(1700000000000.123).length).toBeLessThanOrEqual(9);
  });

  it("refuses what it cannot give back, with the path to it", () => {
    class Custom {}
    for (const bad of [undefined, () => 1, Symbol("x"), new Map(), new Set(), new Custom()]) {
      expect(() => encodeRow({ a: [1, { b: bad }] })).toThrow(/state-value-unsupported.* at a\[1\]\.b/s);
    }
  });

  it("refuses values nested deeper than its bound, cyclic ones included", () => {
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    expect(() => encodeRow(cyclic)).toThrow(`deeper than ${MAX_DEPTH}`);
  });

  it("takes the deepest column that is decoded, with a row, a list and an accumulator around it", () => {
    let deepest: unknown = 1;
    for (let level = 0; level < DEFAULT_LIMITS.maxDepth; level++) deepest = [deepest];
    const stored = [[{ row: { payload: deepest } }]];
    expect(decodeRow(encodeRow(stored))).toEqual(stored);
  });

  it("never sets a prototype when it decodes", () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}');
    const back = decodeRow(encodeRow(hostile)) as Record<string, unknown>;
    expect(Object.keys(back).sort()).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(back["polluted"]).toBeUndefined();
  });

  it("fails on damaged bytes instead of inventing a value", () => {
    const bytes = encodeRow({ a: [1, "two", 3n] });
    for (let cut = 0; cut < bytes.length; cut++)
      expect(() => decodeRow(bytes.subarray(0, cut))).toThrow("corrupt-bytes");
    expect(() => decodeRow(Uint8Array.of(99))).toThrow("corrupt-bytes");
  });
});
