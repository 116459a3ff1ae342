import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { array, columns, double, json, long, string, struct, timestamp } from "../../lib/index.js";
import type { Schema } from "../../lib/plan/schema.js";
import { parquetPayloads } from "../../lib/sources/parquet-records.js";
import { compileRowDecoder } from "../../lib/sources/row-decoder.js";

/** Files that pyarrow wrote (`test/vendor/parquet/write.py`). */
async function decoded(file: string, { schema }: { readonly schema: Schema }) {
  const decode = compileRowDecoder(schema);
  const rows: unknown[] = [];
  for await (const { data, malformed } of parquetPayloads(
    join(import.meta.dirname, "../vendor/parquet", file),
    schema,
  )) {
    const row = malformed ?? decode(data);
    rows.push("malformed" in row ? row.detail : row.row);
  }
  return rows;
}
const every = (declared: Parameters<typeof columns>[0]) => decoded("every-type.parquet", columns(declared));

describe("parquetPayloads", () => {
  it("TRIALS-2 C2: keeps the digits of decimals and unsigned integers", async () => {
    expect(await every({ d18: long(), d9: double() })).toEqual([
      { d18: 123456789012345678n, d9: 1234567.89 },
      { d18: 9007199254740993n, d9: -0.01 },
      { d18: -1, d9: null },
    ]);
    expect(await every({ d38: string(), d76: json() })).toEqual([
      { d38: "12345678901234567890123456789012345.678", d76: BigInt("1".repeat(70)) },
      { d38: "-0.001", d76: -5 },
      { d38: "0.000", d76: null },
    ]);
    expect(await every({ u64: json(), u8: long() })).toEqual([
      { u64: 18446744073709551615n, u8: 255 },
      { u64: 9223372036854775808n, u8: 0 },
      { u64: 1, u8: 1 },
    ]);
  });

  it("TRIALS-2 C2: calls malformed what the column cannot hold exactly", async () => {
    expect(await every({ u64: long() })).toEqual([
      "column 'u64': expected bigint, got integer",
      "column 'u64': expected bigint, got integer",
      { u64: 1 },
    ]);
    expect((await every({ d38: double() }))[0]).toBe(
      "column 'd38': more digits than a double keeps; declare string(), or long()",
    );
    expect((await every({ i64: double() }))[1]).toContain("more digits");
    expect(await every({ binary: json() })).toEqual([
      { binary: "Müller" },
      "column 'binary': bytes that are no UTF-8",
      { binary: "" },
    ]);
    expect((await every({ ts_ns: timestamp() }))[1]).toContain("nanoseconds");
    expect((await every({ ts_us: timestamp() }))[2]).toContain("expected timestamp");
  });

  it("reads times of every unit, also of INT96, and their counts where a long is declared", async () => {
    const time = 1_720_000_000_123;
    expect(await every({ ts_ms: timestamp(), ts_local: timestamp(), ts_ns: long(), date: timestamp() })).toEqual([
      { ts_ms: time, ts_local: time + 0.456, ts_ns: 1720000000123456000n, date: Date.UTC(2024, 1, 29) },
      { ts_ms: -1, ts_local: -0.001, ts_ns: 1720000000123456789n, date: -62_135_596_800_000 },
      { ts_ms: 0, ts_local: 0, ts_ns: -1000, date: Date.UTC(9999, 11, 31) },
    ]);
    expect(await decoded("int96.parquet", columns({ t: timestamp() }))).toEqual([
      { t: time + 0.456 },
      "column 't': nanoseconds, which no timestamp keeps; declare long()",
      { t: -0.001 },
    ]);
    expect((await every({ t_us: string(), t_ms: long() }))[1]).toEqual({ t_us: "23:59:59.999999", t_ms: 86_399_999 });
  });

  it("reads text, bytes and nested values", async () => {
    const place = struct({ lat: double(), name: string() });
    const declared = { words: string(), uuid: string(), fixed: string(), numbers: array(long()), place, sizes: json() };
    expect(await every(declared)).toEqual([
      {
        words: "a",
        uuid: "00000000-0000-0000-0000-000000000001",
        fixed: "AP8QIA==",
        numbers: [1, null, 9007199254740993n],
        place: { lat: 1.5, name: "x" },
        sizes: { a: 1, b: null },
      },
      {
        words: "b",
        uuid: "ffffffff-ffff-ffff-ffff-ffffffffffff",
        fixed: "YWJjZA==",
        numbers: [],
        place: { lat: null, name: "y" },
        sizes: {},
      },
      { words: "a", uuid: null, fixed: null, numbers: null, place: null, sizes: null },
    ]);
    expect(await every({ prices: array(double()) })).toEqual([
      "column 'prices': more digits than a double keeps; declare string(), or long()",
      { prices: [] },
      { prices: null },
    ]);
    expect(await every({ prices: array(string()) })).toContainEqual({ prices: ["0.10", "99999999999999.99"] });
    expect((await every({ f16: double(), f32: double() }))[2]).toEqual({
      f16: Number.POSITIVE_INFINITY,
      f32: Number.NaN,
    });
  });
});
