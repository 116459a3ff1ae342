import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DataType, Field, Schema } from "../../lib/plan/schema.js";
import { DEFAULT_LIMITS } from "../../lib/sources/decode-limits.js";
import { compileRowDecoder } from "../../lib/sources/row-decoder.js";

const schema = (types: Record<string, DataType>, notNull: readonly string[] = []): Schema => ({
  fields: Object.entries(types).map(([name, type]): Field => ({ name, type, nullable: !notNull.includes(name) })),
});
const decode = (types: Schema, text: string) => compileRowDecoder(types)(Buffer.from(text));
const one = (type: DataType) => (json: string) => {
  const decoded = decode(schema({ v: type }), `{"v":${json}}`);
  return "row" in decoded ? decoded.row["v"] : decoded.malformed;
};

const PAGE_VIEW = schema({ eventTime: "timestamp", page: "string", durationMs: "long" }, ["eventTime"]);

describe("compileRowDecoder", () => {
  it("reads declared columns, timestamps as epoch milliseconds", () => {
    expect(decode(PAGE_VIEW, '{"eventTime":"2024-01-01T12:00:00.5Z","page":"/","durationMs":7}')).toEqual({
      row: { eventTime: Date.UTC(2024, 0, 1, 12, 0, 0, 500), page: "/", durationMs: 7 },
    });
  });

  it("makes a missing column null and drops members that are no columns", () => {
    expect(decode(PAGE_VIEW, '{"extra":{"a":1},"eventTime":1000}')).toEqual({
      row: { eventTime: 1000, page: null, durationMs: null },
    });
  });

  it("refuses null or nothing where the column is not nullable", () => {
    for (const text of ["{}", '{"eventTime":null,"page":"/","durationMs":1}']) {
      expect(decode(PAGE_VIEW, text)).toMatchObject({ malformed: "schema-violation" });
    }
  });

  it("does not take an inherited member for a column", () => {
    const inherited: Schema = {
      fields: ["toString", "valueOf"].map((name) => ({ name, type: "json", nullable: true })),
    };
    expect(decode(inherited, '{"a":1,"b":2}')).toEqual({
      row: Object.fromEntries([
        ["toString", null],
        ["valueOf", null],
      ]),
    });
  });

  it("keeps a hostile __proto__ out of the row", () => {
    const decoded = decode(schema({ a: "int" }), '{"__proto__":{"polluted":true},"a":1}');
    expect(decoded).toEqual({ row: { a: 1 } });
    expect("row" in decoded && Object.getOwnPropertyNames(decoded.row)).toEqual(["a"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("reads timestamps from ISO 8601 and epoch milliseconds, of the years 0001 to 9999", () => {
    const read = one("timestamp");
    expect(read('"2024-01-01T00:00:00.000001+00:00"')).toBe(Date.UTC(2024, 0, 1) + 0.001);
    expect(read("1704067200000.1234")).toBe(1704067200000.123);
    expect(read('"0001-01-01T00:00:00Z"')).toBe(-62_135_596_800_000);
    expect(read('"9999-12-31T23:59:59.999Z"')).toBe(253_402_300_799_999);
    for (const bad of [
      '"9999-12-31T23:59:59.9999999Z"',
      '"yesterday"',
      "1e300",
      '"0000-12-31T23:59:59Z"',
      "253402300800000",
      "true",
      "{}",
    ]) {
      expect(read(bad)).toBe("schema-violation");
    }
  });

  it("reads longs without loss beyond 2^53, as bigint there and only there", () => {
    const read = one("long");
    expect(read("9007199254740991")).toBe(9007199254740991);
    expect(read("9007199254740993")).toBe(9007199254740993n);
    expect(read("-9223372036854775808")).toBe(-(2n ** 63n));
    expect(read("9223372036854775807")).toBe(2n ** 63n - 1n);
    expect(read("1234567890123456789.0")).toBe(1234567890123456789n);
    expect(read("123456789012345678.9e1")).toBe(1234567890123456789n);
    expect(read("1e3")).toBe(1000);
    expect(read("-0")).toBe(0);
    for (const bad of ["9223372036854775808", "1e300", "1.5", '"5"', "12345678901234567890.5"]) {
      expect(read(bad)).toBe("schema-violation");
    }
  });

  it("is not confused by digits inside strings when it reads a long again", () => {
    const text = '{"b":"12345678901234567 \\"9007199254740993\\\\","v":9007199254740993,"a":[1]}';
    expect(decode(schema({ a: "json", b: "string", v: "long" }), text)).toEqual({
      row: { a: [1], b: '12345678901234567 "9007199254740993\\', v: 9007199254740993n },
    });
  });

  it("takes the last of repeated members, also beyond 2^53", () => {
    expect(decode(schema({ v: "long" }), '{"v":9007199254740993,"v":9007199254740995}')).toEqual({
      row: { v: 9007199254740995n },
    });
  });

  it("reads longs inside arrays and structs without loss", () => {
    const type: DataType = { array: { struct: [{ name: "id", type: "long", nullable: true }] } };
    expect(one(type)('[{"id":9007199254740993},{"id":1},{}]')).toEqual([
      { id: 9007199254740993n },
      { id: 1 },
      { id: null },
    ]);
  });

  it("holds int, double, boolean and string to their ranges", () => {
    expect(one("int")("2147483647")).toBe(2147483647);
    expect(one("int")("2147483648")).toBe("schema-violation");
    expect(one("int")("1.5")).toBe("schema-violation");
    expect(one("double")("1e308")).toBe(1e308);
    expect(one("double")('"NaN"')).toBeNaN();
    expect(one("double")('"1"')).toBe("schema-violation");
    expect(one("boolean")("1")).toBe("schema-violation");
    expect(one("string")("1")).toBe("schema-violation");
    expect(one("timestamp_ntz")('"2024-01-01T00:00:00"')).toBe(Date.UTC(2024, 0, 1));
    expect(one("timestamp_ntz")('"2024-01-01T00:00:00Z"')).toBe("schema-violation");
  });

  it("says not-json for what is not one JSON value of UTF-8, without quoting it", () => {
    for (const payload of [
      Buffer.alloc(0),
      Buffer.from("{secret"),
      Buffer.from([0x22, 0xff, 0x22]),
      Buffer.from("{} {}"),
    ]) {
      const decoded = compileRowDecoder(PAGE_VIEW)(payload);
      expect(decoded).toMatchObject({ malformed: "not-json" });
      expect(JSON.stringify(decoded)).not.toContain("secret");
    }
    expect(decode(PAGE_VIEW, "[1]")).toMatchObject({ malformed: "schema-violation" });
  });

  it("accepts a replacement character that is really in the text", () => {
    expect(decode(schema({ v: "string" }), '{"v":"\uFFFD"}')).toEqual({ row: { v: "\uFFFD" } });
  });

  it("bounds size and depth", () => {
    const limits = { ...DEFAULT_LIMITS, maxBytes: 100, maxDepth: 3 };
    const decoder = compileRowDecoder(schema({ v: "json" }), limits);
    expect(decoder(Buffer.from(`{"v":"${"x".repeat(100)}"}`))).toMatchObject({ malformed: "too-large" });
    expect(decoder(Buffer.from('{"v":[[[1]]]}'))).toEqual({ row: { v: [[[1]]] } });
    expect(decoder(Buffer.from('{"v":[[[[1]]]]}'))).toMatchObject({ malformed: "too-deep" });
    const deep = `{"v":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(decode(schema({ v: "json" }), deep)).toMatchObject({ malformed: "too-deep" });
  });

  it("inflates gzip and stops at a bomb", () => {
    const decoder = compileRowDecoder(schema({ v: "string" }));
    expect(decoder(gzipSync('{"v":"x"}'))).toEqual({ row: { v: "x" } });
    expect(decoder(gzipSync(Buffer.alloc(10 * 1024 * 1024 + 1, 32)))).toMatchObject({ malformed: "too-large" });
    expect(decoder(gzipSync('{"v":"x"}').subarray(0, 15))).toMatchObject({ malformed: "not-json" });
  });

  /** Integers beyond 2^53 as the digits that JSON.stringify writes. */
  const exact = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, part) =>
      Number.isInteger(part) && !Number.isSafeInteger(part) && !String(part).includes("e")
        ? BigInt(String(part))
        : part,
    );

  it("gives every JSON object of fitting values back as it was", () => {
    const types = schema({ s: "string", d: "double", i: "int", b: "boolean", j: "json" });
    const decoder = compileRowDecoder(types);
    const row = fc.record({
      s: fc.string({ unit: "binary" }),
      d: fc.double({ noNaN: true, noDefaultInfinity: true }).map((d) => d + 0),
      i: fc.integer(),
      b: fc.boolean(),
      j: fc.jsonValue({ maxDepth: 5 }),
    });
    fc.assert(
      fc.property(row, (value) => {
        const text = JSON.stringify(value);
        expect(decoder(Buffer.from(text))).toEqual({ row: { ...JSON.parse(text), j: exact(value.j) } });
      }),
    );
  });

  it("never throws, whatever the bytes", () => {
    const decoder = compileRowDecoder(schema({ t: "timestamp", l: "long", j: "json", a: { array: "long" } }));
    const member = fc.oneof(
      fc.jsonValue(),
      fc.bigInt().map((n) => `${n}`),
    );
    const object = fc.dictionary(fc.constantFrom("t", "l", "j", "a", "__proto__", "constructor"), member);
    const digits = fc.stringMatching(/^-?[0-9]{1,40}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,4})?$/);
    const payload = fc.oneof(
      fc.uint8Array(),
      fc.json().map((text) => Buffer.from(text)),
      object.map((value) => Buffer.from(JSON.stringify(value))),
      digits.map((literal) => Buffer.from(`{"l":${literal},"a":[${literal}],"t":${literal}}`)),
      fc.uint8Array().map((bytes) => Buffer.from([0x1f, 0x8b, ...bytes])),
    );
    fc.assert(
      fc.property(payload, (bytes) => {
        const decoded = decoder(bytes);
        expect("row" in decoded || decoded.malformed.length > 0).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("reads every long literal as BigInt reads it", () => {
    const read = one("long");
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (n) => {
        const value = read(n.toString()) as number | bigint;
        expect(BigInt(value)).toBe(n);
        expect(typeof value).toBe(Number.isSafeInteger(Number(n)) ? "number" : "bigint");
      }),
    );
  });

  it("answers a batch as it answers one by one, malformed, compressed and rounded payloads among them", () => {
    const decoder = compileRowDecoder(schema({ t: "timestamp", l: "long" }), {
      ...DEFAULT_LIMITS,
      maxBytes: 60,
      maxDepth: 5,
    });
    const payload = fc.oneof(
      fc.constantFrom(
        '{"t":1,"l":9007199254740993}',
        '{"t":"2024-01-01"}',
        "{",
        "[]",
        '{"l":[1',
        "2]}",
        "",
        "x".repeat(61),
      ),
      fc.json({ maxDepth: 1 }),
    );
    const bytes = fc.oneof(
      payload.map((text) => Buffer.from(text)),
      payload.map((text) => gzipSync(text)),
      fc.uint8Array({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(bytes), fc.boolean(), (payloads, lazily) => {
        const alone = payloads.map((each) => decoder(each));
        const given = payloads.map((data) =>
          lazily ? { data, base64: Buffer.from(data).toString("base64") } : { data },
        );
        const { rows, malformed } = decoder.batch!(given);
        expect(rows.map((row, at) => (row === null ? malformed.get(at) : { row }))).toEqual(alone);
      }),
    );
  });

  it("reads a time once, also where a foreign member stands in a missing column's place", () => {
    const decode = compileRowDecoder({
      fields: [
        { name: "t", type: "timestamp", nullable: true, reading: { unit: "seconds" } },
        { name: "n", type: "long", nullable: true },
      ],
    });
    expect(decode(Buffer.from('{"t":"2026-11-30T10:00:00Z","other":1}'))).toEqual({
      row: { t: 1796032800000, n: null },
    });
    expect(decode(Buffer.from('{"t":1796032,"other":1}'))).toEqual({ row: { t: 1796032000, n: null } });
  });

  it("decodes batches beyond the number that it parses together", () => {
    const payloads = Array.from({ length: 1000 }, (_, i) => ({ data: Buffer.from(i === 300 ? "{" : `{"v":${i}}`) }));
    const decoded = compileRowDecoder(schema({ v: "int" })).batch?.(payloads);
    expect(decoded?.rows.map((row) => row?.["v"] ?? null)).toEqual(payloads.map((_, i) => (i === 300 ? null : i)));
    expect([...decoded!.malformed.keys()]).toEqual([300]);
  });
});
