import { describe, expect, it } from "vitest";
import type { Schema } from "../../lib/plan/schema.js";
import { csvPayload } from "../../lib/sources/csv-payload.js";
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
const row = (...cells: string[]) =>
  decode(
    csvPayload(
      ["at", "n", "ok", "s", "tags"],
      cells.map((text) => ({ text, quoted: false })),
      schema,
    ),
  );

describe("csvPayload", () => {
  it("reads cells by the type of their column", () => {
    expect(row("2024-01-01", "9007199254740993", "TRUE", "5", '["a"]')).toEqual({
      row: { at: Date.UTC(2024, 0, 1), n: 9007199254740993n, ok: true, s: "5", tags: ["a"] },
    });
    expect(row("1704067200000", "", "", "", "")).toEqual({
      row: { at: 1704067200000, n: null, ok: null, s: null, tags: null },
    });
  });

  it("keeps a quoted empty cell as a text", () => {
    const payload = csvPayload(["s"], [{ text: "", quoted: true }], schema);
    expect(decode(payload)).toMatchObject({ row: { s: "" } });
  });

  it("leaves what does not fit for the decoder to refuse", () => {
    expect(row("yesterday")).toMatchObject({ malformed: "schema-violation" });
    expect(row("", "1.5x")).toMatchObject({ malformed: "schema-violation" });
    expect(row("", "", "yes")).toMatchObject({ malformed: "schema-violation" });
    expect(row("a", "b", "c", "d", "e", "one too many")).toMatchObject({ malformed: "not-json" });
  });
});
