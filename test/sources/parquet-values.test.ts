import fc from "fast-check";
import type { SchemaElement } from "hyparquet";
import { describe, expect, it } from "vitest";
import type { DataType } from "../../lib/plan/schema.js";
import { bigEndian, decimalText, doubleOfHalf, isExactDouble } from "../../lib/sources/parquet-numbers.js";
import { parquetLeaf } from "../../lib/sources/parquet-values.js";
import { compileRowDecoder } from "../../lib/sources/row-decoder.js";

/** The value that a column of the type gets; undefined where the row is malformed. */
function valueIn(type: DataType, element: Partial<SchemaElement>, stored: unknown): unknown {
  const { json, fault } = parquetLeaf({ name: "v", ...element } as SchemaElement, type)!(stored);
  const decoded = compileRowDecoder({ fields: [{ name: "v", type, nullable: true }] })(Buffer.from(`{"v":${json}}`));
  return fault !== undefined || "malformed" in decoded ? undefined : decoded.row["v"];
}

const bytesOf = (value: bigint, length: number) =>
  Uint8Array.from({ length }, (_, at) => Number((value >> BigInt(8 * (length - 1 - at))) & 0xffn));

const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
const scale = fc.integer({ min: 0, max: 20 });

describe("every value of a Parquet column comes out as it stands, or not at all", () => {
  it("integers", () => {
    fc.assert(
      fc.property(int64, (value) => {
        expect(BigInt(valueIn("long", { type: "INT64" }, value) as bigint)).toBe(value);
        const unsigned = BigInt.asUintN(64, value);
        const asJson = valueIn("json", { type: "INT64", converted_type: "UINT_64" }, value);
        expect(BigInt(asJson as bigint)).toBe(unsigned);
        const asLong = valueIn("long", { type: "INT64", converted_type: "UINT_64" }, value);
        expect(asLong === undefined ? undefined : BigInt(asLong as bigint)).toBe(
          unsigned < 2n ** 63n ? unsigned : undefined,
        );
        const asDouble = valueIn("double", { type: "INT64" }, value);
        if (asDouble !== undefined) expect(BigInt(asDouble as number)).toBe(value);
      }),
    );
  });

  it("decimals, in any of their physical types", () => {
    fc.assert(
      fc.property(int64, scale, (unscaled, digits) => {
        const element = { logical_type: { type: "DECIMAL", precision: 38, scale: digits } } as const;
        const text = decimalText(unscaled, digits);
        expect(BigInt(text.replace(".", ""))).toBe(unscaled);
        const forms: [SchemaElement["type"], unknown][] = [
          ["INT64", unscaled],
          ["FIXED_LEN_BYTE_ARRAY", bytesOf(unscaled, 16)],
          ["BYTE_ARRAY", bytesOf(unscaled, 9)],
        ];
        for (const [type, stored] of forms) {
          expect(valueIn("string", { type: type!, ...element }, stored)).toBe(text);
          const double = valueIn("double", { type: type!, ...element }, stored);
          expect(double).toBe(isExactDouble(text) ? Number(text) : undefined);
        }
      }),
    );
  });

  it("doubles and floats, -0 and NaN among them", () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(valueIn("double", { type: "DOUBLE" }, value)).toBe(value);
        expect(valueIn("double", { type: "FLOAT" }, Math.fround(value))).toBe(Math.fround(value));
      }),
    );
  });

  it("timestamps of every unit", () => {
    const units = fc.constantFrom(["MILLIS", 1000n], ["MICROS", 1_000_000n], ["NANOS", 1_000_000_000n] as const);
    fc.assert(
      fc.property(int64, units, (count, [unit, perSecond]) => {
        const element = {
          type: "INT64",
          logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit },
        } as SchemaElement;
        const time = valueIn("timestamp", element, count) as number | undefined;
        if (time === undefined) return;
        const micros = BigInt(Math.floor(time)) * 1000n + BigInt(Math.round((time - Math.floor(time)) * 1000));
        expect(micros * (perSecond as bigint)).toBe(count * 1_000_000n);
      }),
      { numRuns: 300 },
    );
  });

  it("bytes that should be text", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const text = valueIn("string", { type: "BYTE_ARRAY", converted_type: "UTF8" }, bytes);
        if (text !== undefined) expect(Uint8Array.from(Buffer.from(text as string))).toEqual(bytes);
      }),
    );
  });
});

describe("parquet numbers", () => {
  it("are two's complement, and decimal text without a loss", () => {
    expect(bigEndian(Uint8Array.of(0xff, 0xfe))).toBe(-2n);
    expect([decimalText(5n, 3), decimalText(-1250n, 2), decimalText(7n, 0), decimalText(7n, -2)]).toEqual([
      "0.005",
      "-12.50",
      "7",
      "700",
    ]);
    expect(
      ["0.1", "12.50", "99999999999999.99", "9007199254740993", "0.00", "-123456789.123456"].map(isExactDouble),
    ).toEqual([true, true, false, false, true, true]);
    expect([0x3c00, 0xc000, 0x0001, 0x7c00].map((bits) => doubleOfHalf(Uint8Array.of(bits & 255, bits >> 8)))).toEqual([
      1,
      -2,
      2 ** -24,
      Number.POSITIVE_INFINITY,
    ]);
  });

  it("are refused where their annotation is not read", () => {
    expect(parquetLeaf({ name: "v", type: "BYTE_ARRAY", converted_type: "BSON" }, "json")).toBeUndefined();
    expect(parquetLeaf({ name: "v", type: "BYTE_ARRAY", logical_type: { type: "GEOMETRY" } }, "json")).toBeUndefined();
  });
});
