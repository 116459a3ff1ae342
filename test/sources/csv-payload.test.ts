import { describe, expect, it } from "vitest";
import type { Schema } from "../../lib/plan/schema.js";
import type { CsvRow } from "../../lib/sources/csv.js";
import { csvColumns } from "../../lib/sources/csv-payload.js";
import { compileRowDecoder } from "../../lib/sources/row-decoder.js";

const schema: Schema = {
  fields: [
    { name: "at", type: "timestamp", nullable: true },
    { name: "n", type: "long", nullable: true },
    { name: "ok", type: "boolean", nullable: true },
    { name: "s", type: "string", nullable: true },
    { name: "tags", type: { array: "string" }, nullable: true },
  ],
};
const decode = compileRowDecoder(schema);
const NAMES = ["at", "n", "ok", "s", "tags"];
const csvRow = (texts: readonly string[]): CsvRow => ({
  cells: texts.map((text) => ({ text, quoted: false })),
  count: texts.length,
  cut: false,
});
const row = (...cells: string[]) => {
  const payload = csvColumns(NAMES, schema).payload(csvRow(cells));
  expect(payload.malformed).toBeUndefined();
  return decode(payload.data);
};

describe("csvColumns", () => {
  it("reads cells by the type of their column", () => {
    expect(row("2024-01-01", "9007199254740993", "TRUE", "5", '["a"]')).toEqual({
      row: { at: Date.UTC(2024, 0, 1), n: 9007199254740993n, ok: true, s: "5", tags: ["a"] },
    });
    expect(row("1704067200000", "", "", "", "")).toEqual({
      row: { at: 1704067200000, n: null, ok: null, s: null, tags: null },
    });
  });

  it("keeps a quoted empty cell as a text", () => {
    const quoted: CsvRow = { cells: [{ text: "", quoted: true }], count: 1, cut: false };
    expect(decode(csvColumns(["s"], schema).payload(quoted).data)).toMatchObject({ row: { s: "" } });
  });

  it("leaves what does not fit for the decoder to refuse", () => {
    expect(row("yesterday")).toMatchObject({ malformed: "schema-violation" });
    expect(row("", "1.5x")).toMatchObject({ malformed: "schema-violation" });
    expect(row("", "", "yes")).toMatchObject({ malformed: "schema-violation" });
  });

  it("calls a row with more cells than names, or longer than may be, malformed, and keeps what it has of it", () => {
    const wide = csvColumns(NAMES, schema).payload({ ...csvRow(["a", "b", "c", "d", "e"]), count: 1_000_000 });
    expect(wide.malformed).toEqual({ malformed: "too-many-cells", detail: "1000000 cells under 5 names" });
    expect(Buffer.from(wide.data).toString()).toBe("a,b,c,d,e");
    const long = csvColumns(NAMES, schema).payload({ ...csvRow(["", "", "", "long"]), cut: true });
    expect(long.malformed).toMatchObject({ malformed: "too-large" });
  });
});
