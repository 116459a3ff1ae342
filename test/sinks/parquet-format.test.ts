import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import type { Row, Schema } from "../../lib/plan/schema.js";
import { PARQUET } from "../../lib/sinks/parquet-format.js";

const schema: Schema = {
  fields: [
    { name: "at", type: "timestamp", nullable: true },
    { name: "local", type: "timestamp_ntz", nullable: true },
    { name: "window", type: "window", nullable: true },
    { name: "views", type: "long", nullable: true },
    { name: "small", type: "int", nullable: true },
    { name: "ratio", type: "double", nullable: true },
    { name: "ok", type: "boolean", nullable: true },
    { name: "page", type: "string", nullable: true },
    { name: "extra", type: "json", nullable: true },
    { name: "tags", type: { array: "string" }, nullable: true },
    {
      name: "visits",
      type: {
        array: {
          struct: [
            { name: "n", type: "long", nullable: true },
            { name: "t", type: "timestamp", nullable: true },
          ],
        },
      },
      nullable: true,
    },
  ],
};
const noon = Date.UTC(2024, 0, 1, 12);
const full: Row = {
  at: noon + 0.001,
  local: noon,
  window: { start: noon, end: noon + 300_000 },
  views: 9007199254740993n,
  small: -5,
  ratio: 0.1,
  ok: false,
  page: "ä/☃",
  extra: { a: [1, null], at: "x" },
  tags: ["a", null, ""],
  visits: [
    { n: 1, t: noon },
    { n: null, t: null },
  ],
};
const empty: Row = Object.fromEntries(schema.fields.map(({ name }) => [name, null]));

const read = async (rows: readonly Row[]) => {
  const { buffer, byteOffset, byteLength } = PARQUET.encode(rows, schema);
  const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  const parsers = { timestampFromMicroseconds: (micros: bigint) => `${micros} µs` };
  return { rows: await parquetReadObjects({ file, parsers }), metadata: parquetMetadata(file) };
};

describe("PARQUET", () => {
  it("keeps every type, microseconds and integers beyond 2^53 included", async () => {
    const { rows } = await read([full, empty]);
    expect(rows[0]).toEqual({
      ...full,
      at: `${noon}001 µs`,
      local: `${noon}000 µs`,
      window: { start: `${noon}000 µs`, end: `${noon + 300_000}000 µs` },
      views: 9007199254740993n,
      extra: '{"a":[1,null],"at":"x"}',
      visits: [
        { n: 1n, t: `${noon}000 µs` },
        { n: null, t: null },
      ],
    });
    expect(Object.values(rows[1] ?? {}).every((value) => value === null || value === undefined)).toBe(true);
  });

  it("says which times are instants and which are readings of a clock", async () => {
    const { metadata } = await read([full]);
    const logical = metadata.schema.map(({ name, logical_type }) => [name, logical_type]);
    expect(logical).toContainEqual(["at", { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" }]);
    expect(logical).toContainEqual(["local", { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MICROS" }]);
  });

  it("writes the same rows as the same bytes, any number of them", async () => {
    const rows = Array.from({ length: 2500 }, (_, i): Row => ({ ...full, small: i, page: `page-${i % 7}` }));
    expect(PARQUET.encode(rows, schema)).toEqual(PARQUET.encode(rows, schema));
    const back = (await read(rows)).rows;
    expect(back.map(({ small, page }) => [small, page])).toEqual(rows.map(({ small, page }) => [small, page]));
  });

  it("refuses an open schema and a value of another type than its column's", () => {
    expect(() => PARQUET.encode([{}], { fields: [], open: true })).toThrow(/sink-open-schema/);
    for (const bad of [{ views: "5" }, { views: 0.5 }, { window: 5 }, { tags: "a" }, { page: 5 }, { at: Number.NaN }]) {
      expect(() => PARQUET.encode([{ ...empty, ...bad }], schema)).toThrow(/sink-type/);
    }
  });
});
