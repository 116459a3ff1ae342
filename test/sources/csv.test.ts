import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CsvRow, csvRows } from "../../lib/sources/csv.js";

async function* chunked(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
const rows = async (text: string, size = 2, { maxLength = 1000, maxCells = 1000 } = {}) => {
  const out: CsvRow[] = [];
  for await (const row of csvRows(chunked(text, size), { maxLength, maxCells })) out.push(row);
  return out;
};
const texts = async (text: string, size?: number) =>
  (await rows(text, size)).map(({ cells }) => cells.map((cell) => cell.text));

describe("csvRows", () => {
  it("reads plain and quoted cells, doubled quotes, commas and line ends inside quotes", async () => {
    expect(await texts('a,b\r\n"x, ""y""\nz",2\n\n,\n')).toEqual([
      ["a", "b"],
      ['x, "y"\nz', "2"],
      ["", ""],
    ]);
  });

  it("tells an empty text from no text", async () => {
    expect((await rows('"",\n""\n')).map(({ cells }) => cells)).toEqual([
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

  it("cuts a row at the limit of its length, and says so; the next one is whole", async () => {
    const long = `${"x".repeat(8)},"${"y".repeat(50)}",z\n`;
    const found = await rows(`${long}${"x".repeat(6)},yyyy\n`, 7, { maxLength: 10 });
    expect(found.map(({ cells, cut }) => [cells.map((cell) => cell.text), cut])).toEqual([
      [["x".repeat(8), "yy", ""], true],
      [["x".repeat(6), "yyyy"], false],
    ]);
  });

  it("keeps no more cells than it may, counts the others, and reads the next row", async () => {
    const found = await rows(`${"a,".repeat(100_000)}"b,""c"\n1,2,3\n1\n`, 4096, { maxCells: 3 });
    expect(found.map(({ cells, count }) => [cells.map((cell) => cell.text), count])).toEqual([
      [["a", "a", "a"], 100_001],
      [["1", "2", "3"], 3],
      [["1"], 1],
    ]);
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
