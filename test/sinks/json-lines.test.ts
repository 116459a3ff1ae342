import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DataType, Row, Schema } from "../../lib/plan/schema.js";
import { jsonLines } from "../../lib/sinks/json-lines.js";
import { compileRowDecoder } from "../../lib/sources/row-decoder.js";

const write = (rows: readonly Row[], schema: Schema) => Buffer.from(jsonLines(rows, schema)).toString();
const value = (type: DataType, v: unknown) =>
  write([{ v }], { fields: [{ name: "v", type, nullable: true }] }).slice('{"v":'.length, -2);

describe("jsonLines", () => {
  it("writes columns in schema order and nothing else", () => {
    const schema: Schema = {
      fields: [
        { name: "b", type: "long", nullable: true },
        { name: "a", type: "string", nullable: true },
      ],
    };
    expect(write([{ a: "x", extra: 1, b: 2 }, { b: null }], schema)).toBe('{"b":2,"a":"x"}\n{"b":null,"a":null}\n');
  });

  it("adds the other members of a row whose schema is open", () => {
    const fields = [{ name: "a", type: "json", nullable: true }] as const;
    expect(write([{ z: 1, a: 2, y: [3] }], { fields, open: true })).toBe('{"a":2,"z":1,"y":[3]}\n');
  });

  it("writes times in UTC with no, three or six fraction digits", () => {
    const noon = Date.UTC(2024, 0, 1, 12);
    expect(value("timestamp", noon)).toBe('"2024-01-01T12:00:00Z"');
    expect(value("timestamp", noon + 5)).toBe('"2024-01-01T12:00:00.005Z"');
    expect(value("timestamp", noon + 0.001)).toBe('"2024-01-01T12:00:00.000001Z"');
    expect(value("timestamp", -0.001)).toBe('"1969-12-31T23:59:59.999999Z"');
    expect(value("timestamp_ntz", noon)).toBe('"2024-01-01T12:00:00"');
    expect(value("window", { start: noon, end: noon + 1000 })).toBe(
      '{"start":"2024-01-01T12:00:00Z","end":"2024-01-01T12:00:01Z"}',
    );
    expect(value({ array: "timestamp" }, [noon, null])).toBe('["2024-01-01T12:00:00Z",null]');
    expect(value({ struct: [{ name: "t", type: "timestamp", nullable: true }] }, { t: noon })).toBe(
      '{"t":"2024-01-01T12:00:00Z"}',
    );
  });

  it("writes integers exactly and what JSON lacks as strings", () => {
    expect(value("long", 9007199254740993n)).toBe("9007199254740993");
    expect(value("double", Number.NaN)).toBe('"NaN"');
    expect(value("double", Number.NEGATIVE_INFINITY)).toBe('"-Infinity"');
    expect(value("double", -0)).toBe("0");
    expect(value("json", { d: new Date(0), n: [1n, undefined], u: undefined, s: new Set([1]) })).toBe(
      '{"d":"1970-01-01T00:00:00Z","n":[1,null],"s":[1]}',
    );
  });

  it("writes a value of another type than declared as what it is", () => {
    expect(value("timestamp", "soon")).toBe('"soon"');
    expect(value("window", 5)).toBe("5");
    expect(value({ array: "long" }, "x")).toBe('"x"');
  });

  it("refuses values nested without end", () => {
    const deep: unknown[] = [];
    deep.push(deep);
    expect(() => value("json", deep)).toThrow(/too-deep/);
  });

  it("is read back by the row decoder as it was", () => {
    const schema: Schema = {
      fields: [
        { name: "t", type: "timestamp", nullable: true },
        { name: "l", type: "long", nullable: true },
        { name: "d", type: "double", nullable: true },
        { name: "s", type: "string", nullable: true },
        { name: "w", type: "window", nullable: true },
      ],
    };
    // 1827 to 2112: there a double of milliseconds holds every microsecond.
    const time = fc
      .integer({ min: -(2 ** 52), max: 2 ** 52 - 1 })
      .filter((micros) => Math.abs(micros) < 4.4e15)
      .map((micros) => micros / 1000 + 0);
    const long = fc.oneof(fc.integer(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }));
    const row = fc.record({
      t: fc.option(time),
      l: fc.option(long),
      d: fc.option(fc.double().map((d) => d + 0)),
      s: fc.option(fc.string({ unit: "binary" })),
      w: fc.option(fc.record({ start: time, end: time })),
    });
    const decode = compileRowDecoder(schema);
    fc.assert(
      fc.property(row, (before) => {
        expect(decode(Buffer.from(jsonLines([before], schema)))).toEqual({ row: before });
      }),
    );
  });
});
