import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DataType } from "../../lib/plan/schema.js";
import { decodeKey, encodeKey, prefixedKey, prefixOf, restOf } from "../../lib/state/key-codec.js";
import { canonical } from "../../lib/time/event-time.js";

const nullable = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { nil: null });
const text = fc.string({ unit: fc.constantFrom("\u0000", "\u0001", "\u0002", "n", "a", ":", "1", ",", "ü") });
const time = fc.integer({ min: -1e15, max: 4e15 }).map((micros) => micros / 1000);
const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    nullable(text),
    fc.boolean(),
    fc.integer(),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(text, tie("json"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).json;

const types: DataType[] = [
  "string",
  "boolean",
  "long",
  "double",
  "timestamp",
  "window",
  "json",
  { array: "string" },
  {
    struct: [
      { name: "a", type: "string", nullable: true },
      { name: "b", type: { array: "long" }, nullable: true },
    ],
  },
];
const long = fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }));
const values: fc.Arbitrary<unknown[]> = fc.tuple(
  nullable(text),
  nullable(fc.boolean()),
  nullable(long),
  nullable(fc.double().map((x) => (x === 0 ? 0 : x))),
  nullable(time),
  nullable(fc.tuple(time, time).map(([start, end]) => ({ start, end }))),
  json,
  nullable(fc.array(nullable(text), { maxLength: 3 })),
  nullable(fc.record({ a: nullable(text), b: nullable(fc.array(long, { maxLength: 2 })) })),
);

describe("the key codec", () => {
  it("gives back the values of every key", () => {
    fc.assert(fc.property(values, (v) => void expect(decodeKey(encodeKey(v, types), types)).toEqual(v)));
  });

  it("gives back the value of a key of one column", () => {
    fc.assert(
      fc.property(values, fc.nat(types.length - 1), (v, i) => {
        expect(decodeKey(encodeKey([v[i]], [types[i]!]), [types[i]!])).toEqual([v[i]]);
      }),
    );
  });

  it("never lets the delimiter of prefix and rest appear in a key", () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const [prefix, rest] = [encodeKey(a, types), encodeKey(b, types)];
        expect(prefixOf(prefixedKey(prefix, rest))).toBe(prefix);
        expect(restOf(prefixedKey(prefix, rest))).toBe(rest);
      }),
    );
  });

  it("keeps columns apart that differ only in where one ends", () => {
    const two: DataType[] = ["string", "string"];
    fc.assert(
      fc.property(text, text, text, text, (a, b, c, d) => {
        expect(encodeKey([a, b], two) === encodeKey([c, d], two)).toBe(a === c && b === d);
      }),
    );
  });

  it("groups as SQL does: NULL with NULL, NaN with NaN, -0 with 0, 5 with 5n", () => {
    expect(encodeKey([null], ["string"])).toBe(encodeKey([undefined], ["string"]));
    expect(encodeKey([null], ["string"])).not.toBe(encodeKey(["null"], ["string"]));
    expect(encodeKey([Number.NaN], ["double"])).toBe(encodeKey([-Number.NaN], ["double"]));
    expect(encodeKey([-0], ["double"])).toBe(encodeKey([0], ["double"]));
    expect(encodeKey([5n], ["long"])).toBe(encodeKey([5], ["long"]));
    expect(encodeKey([{ b: 1, a: 2 }], ["json"])).toBe(encodeKey([{ a: 2, b: 1 }], ["json"]));
    expect(encodeKey([1], ["json"])).not.toBe(encodeKey(["1"], ["json"]));
  });

  it("spells one instant one way", () => {
    expect(encodeKey([canonical(0.1 + 0.2)], ["timestamp"])).toBe(encodeKey([0.3], ["timestamp"]));
  });

  it("refuses a value that is not of its column's type", () => {
    expect(() => encodeKey([1], ["string"])).toThrow("key-type-mismatch");
  });
});
