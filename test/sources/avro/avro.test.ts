import { Buffer } from "node:buffer";
import avsc from "avsc";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { avro, schemaRegistry } from "../../../lib/avro.js";
import { Undecodable } from "../../../lib/sources/decoded-values.js";

const NO_METADATA = {} as never;
const record = (...fields: readonly (readonly [string, unknown])[]) => ({
  type: "record",
  name: "R",
  fields: fields.map(([name, type]) => ({ name, type })),
});
const read = (type: unknown, bytes: readonly number[]) =>
  (avro(record(["v", type]))(Uint8Array.from(bytes), NO_METADATA) as { v: unknown }).v;
/** Zigzag, seven bits a byte, as the specification says it. */
const long = (value: bigint): number[] => {
  const out: number[] = [];
  let bits = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  for (; bits > 127n; bits >>= 7n) out.push(Number(bits & 127n) | 128);
  return [...out, Number(bits)];
};
const logical = (type: unknown, logicalType: string) => ({ type, logicalType });

describe("values", () => {
  it("keeps every long", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(BigInt(read("long", long(value)) as number)).toBe(value);
      }),
    );
    expect(read("long", long(2n ** 53n + 1n))).toBe(9_007_199_254_740_993n);
  });

  it("reads what avsc writes", () => {
    const schema = record(
      ["s", "string"],
      ["i", "int"],
      ["d", "double"],
      ["o", ["null", "boolean"]],
      ["e", { type: "enum", name: "E", symbols: ["A", "B"] }],
      ["a", { type: "array", items: "int" }],
      ["m", { type: "map", values: "string" }],
      ["n", { type: "record", name: "N", fields: [{ name: "x", type: "int" }] }],
    );
    const type = avsc.Type.forSchema(schema as avsc.Schema, { wrapUnions: false });
    const value = fc.record({
      s: fc.string({ unit: "grapheme" }),
      i: fc.integer(),
      d: fc.double(),
      o: fc.option(fc.boolean()),
      e: fc.constantFrom("A", "B"),
      a: fc.array(fc.integer()),
      m: fc.dictionary(fc.string(), fc.string()),
      n: fc.record({ x: fc.integer() }),
    });
    const decode = avro(schema);
    fc.assert(
      fc.property(value, (written) => {
        const bytes = type.toBuffer(written);
        expect(decode(bytes, NO_METADATA)).toEqual({ ...written, m: { ...written.m }, n: { ...written.n } });
        for (let end = 0; end < bytes.length; end++)
          expect(() => decode(bytes.subarray(0, end), NO_METADATA)).toThrow(Undecodable);
        expect(() => decode(Buffer.concat([bytes, Buffer.from([0])]), NO_METADATA)).toThrow("1 bytes after the value");
      }),
      { numRuns: 50 },
    );
  });

  it("reads logical types exactly, as text", () => {
    const decimal = { ...logical("bytes", "decimal"), precision: 30, scale: 2 };
    expect(read(decimal, [4, 0xff, 0x85])).toBe("-1.23");
    expect(read(decimal, [2, 5])).toBe("0.05");
    expect(read({ type: "fixed", name: "F", size: 2, logicalType: "decimal", precision: 4 }, [1, 0])).toBe("256");
    expect(() => read({ ...decimal, precision: 2 }, [4, 0x7f, 0xff])).toThrow("beyond its precision");
    expect(read(logical("int", "date"), long(-1n))).toBe("1969-12-31");
    expect(read(logical("long", "timestamp-millis"), long(1n))).toBe("1970-01-01T00:00:00.001Z");
    expect(read(logical("long", "timestamp-micros"), long(-1n))).toBe("1969-12-31T23:59:59.999999Z");
    expect(read(logical("long", "timestamp-nanos"), long(1_000_000_001n))).toBe("1970-01-01T00:00:01.000000001Z");
    expect(read(logical("long", "local-timestamp-micros"), long(7n))).toBe("1970-01-01T00:00:00.000007");
    expect(() => read(logical("long", "timestamp-millis"), long(2n ** 62n))).toThrow("outside the years");
  });

  it("gives bytes in base64, and what is below logical types where asked", () => {
    expect(read("bytes", [4, 0xff, 0])).toBe("/wA=");
    const plain = avro(record(["v", logical("long", "timestamp-micros")]), { logicalTypes: false });
    expect(plain(Uint8Array.from(long(5n)), NO_METADATA)).toEqual({ v: 5 });
  });
});

describe("hostile payloads", () => {
  const NULLS = { type: "array", items: "null" };
  it.each([
    ["an array of 2^62 nulls", NULLS, long(2n ** 62n), "more items than bytes"],
    ["a string of 2^40 bytes", "string", long(2n ** 40n), "cut off"],
    ["a negative length", "bytes", long(-5n), "cut off"],
    ["a long of eleven bytes", "long", Array<number>(11).fill(0x80), "beyond 64 bits"],
    ["an int of 33 bits", "int", long(2n ** 32n), "beyond 32 bits"],
    ["a branch that is none", ["null", "int"], [8], "no such branch"],
    ["a symbol that is none", { type: "enum", name: "E", symbols: ["A"] }, [8], "no such symbol"],
    ["a boolean of 2", "boolean", [2], "neither 0 nor 1"],
    ["a string that is no text", "string", [2, 0xff], "not UTF-8"],
    ["records in records", ["null", "R"], Array<number>(10_000).fill(2), "nested deeper than 64"],
  ])("refuses %s", (_, type, bytes, reason) => {
    expect(() => read(type, bytes)).toThrow(Undecodable);
    expect(() => read(type, bytes)).toThrow(reason);
  });
});

describe("the registry's frame", () => {
  const decode = schemaRegistry({ schemas: { 7: record(["a", "int"]), 258: record(["b", "string"]) } });
  const framed = (...bytes: readonly number[]) => decode(Uint8Array.from(bytes), NO_METADATA);

  it("reads each record by its schema", () => {
    expect(framed(0, 0, 0, 0, 7, 2)).toEqual({ a: 1 });
    expect(framed(0, 0, 0, 1, 2, 2, 120)).toEqual({ b: "x" });
  });

  it("says what is wrong with it", () => {
    expect(() => framed(0, 0, 0, 0, 8, 2)).toThrow("no schema is given for the id 8");
    expect(() => framed(1, 0, 0, 0, 7, 2)).toThrow("the frame begins with 1, not 0");
    expect(() => framed(0, 0, 7)).toThrow("a frame has five bytes, the payload 3");
  });
});

it("refuses a schema that is none, or of no record", () => {
  expect(() => avro("{")).toThrow("[option-invalid] The Avro schema cannot be read.");
  expect(() => avro({ type: "array", items: "int" })).toThrow(
    "[option-invalid] The Avro schema is not that of a record.",
  );
});
