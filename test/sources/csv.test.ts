import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CsvCell, csvRows } from "../../lib/sources/csv.js";

async function* chunked(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
const rows = async (text: string, size = 2, maxLength = 1000) => {
  const out: (readonly CsvCell[])[] = [];
  for await (const row of csvRows(chunked(text, size), maxLength)) out.push(row);
  return out;
};
const texts = async (text: string, size?: number) =>
  (await rows(text, size)).map((row) => row.map((cell) => cell.text));

describe("csvRows", () => {
  it("reads plain and quoted cells, doubled quotes, commas and line ends inside quotes", async () => {
    expect(await texts('a,b\r\n"x, ""y""\nz",2\n\n,\n')).toEqual([
      ["a", "b"],
      ['x, "y"\nz', "2"],
      ["", ""],
    ]);
  });

  it("tells an empty text from no text", async () => {
    expect(await rows('"",\n""\n')).toEqual([
      [
        { text: "", quoted: true },
        { text: "", quoted: false },
      ],
      [{ text: "", quoted: true }],
    ]);
  });

  it("drops a byte order mark, takes a last line without end and an unclosed quote", async () => {
    expect(await texts("\uFEFFa,b")).toEqual([["a", "b"]]);
    expect(await texts('a,"b\nc')).toEqual([["a", "b\nc"]]);
  });

  it("cuts cells at the limit", async () => {
    const long = `${"x".repeat(50)},"${"y".repeat(50)}",z\n`;
    expect((await rows(long, 7, 10))[0]?.map((cell) => cell.text)).toEqual(["x".repeat(10), "y".repeat(10), "z"]);
  });

  it("gives back any table written with quotes, however the text comes", async () => {
    const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", "é", " ") });
    const table = fc.array(fc.array(cell, { minLength: 1 }));
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (all, size) => {
        const text = all.map((row) => `${row.map((c) => `"${c.replaceAll('"', '""')}"`).join(",")}\n`).join("");
        expect(await texts(text, size)).toEqual(all);
      }),
    );
  });
});
