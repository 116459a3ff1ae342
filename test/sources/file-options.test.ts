import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { columns, double, files, long, string, timestamp } from "../../lib/index.js";
import { type FileOptions, fileOptionOf } from "../../lib/plan/connectors/file-options.js";
import { type FileColumns, fileBatches } from "../../lib/sources/files.js";
import { compileRowDecoder } from "../../lib/sources/row-decoder.js";
import { codeOf } from "../plan/plans.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "options-"));
});
afterAll(() => rm(folder, { recursive: true }));

const { schema } = columns({ name: string(), n: double() });

async function read(file: string, content: string | Uint8Array, options: FileOptions = {}) {
  await writeFile(join(folder, file), content);
  const decode = compileRowDecoder(schema);
  const found: FileColumns[] = [];
  const rows: unknown[] = [];
  const onColumns = (seen: FileColumns) => found.push(seen);
  for await (const batch of fileBatches({ paths: [join(folder, file)], schema, batchSize: 10, options, onColumns }))
    for (const { data, malformed } of batch) {
      const row = malformed ?? decode(data);
      rows.push("row" in row ? Object.values(row.row) : row.malformed);
    }
  return { rows, found };
}

describe("files of text", () => {
  it("TRIALS-2 C4: have any separator and quote; .tsv has tabs", async () => {
    const expected = [
      ["a;b", 1.5],
      ["c", null],
    ];
    expect((await read("semi.csv", 'name;n\n"a;b";1.5\nc;\n', { sep: ";" })).rows).toEqual(expected);
    expect((await read("tabs.tsv", "name\tn\na;b\t1.5\nc\t\n")).rows).toEqual(expected);
    expect((await read("quote.csv", "name|n\n'a;b'|1.5\nc|\n", { delimiter: "|", quote: "'" })).rows).toEqual(expected);
    expect((await read("none.csv", 'name,n\n"a,1\n', { quote: "" })).rows).toEqual([['"a', 1]]);
    expect((await read("escape.csv", 'name,n\n"a\\"b\\\\\\c",1\n', { escape: "\\" })).rows).toEqual([['a"b\\\\c', 1]]);
    expect((await read("comment.csv", "# made by hand\nname,n\n#x,1\na,2\n", { comment: "#" })).rows).toEqual([
      ["a", 2],
    ]);
  });

  it("TRIALS-2 C4: may have no header, or one in another case, and say what it lacks", async () => {
    expect((await read("bare.csv", "a,1\nb,2\n", { header: false })).rows).toEqual([
      ["a", 1],
      ["b", 2],
    ]);
    expect(await read("case.csv", "NAME,N\na,1\n")).toEqual({
      rows: [["a", 1]],
      found: [{ path: join(folder, "case.csv"), found: ["NAME", "N"], missing: [] }],
    });
    expect((await read("lacks.csv", "nam,n\na,1\n")).found[0]).toMatchObject({
      found: ["nam", "n"],
      missing: ["name"],
    });
    expect((await read("twice.csv", "Name,NAME,n\na,b,1\n")).found[0]).toMatchObject({ missing: ["name"] });
  });

  it("TRIALS-2 C3: are in the encoding that is named, and malformed where they are not", async () => {
    const names = ["M\u00fcller", "M\u00f6ller", "M\u00e4ller"];
    const bytes = Buffer.from(`name,n\n${names.map((name) => `${name},1`).join("\n")}\nMiller,1\n`, "latin1");
    expect((await read("latin1.csv", bytes)).rows).toEqual(["not-json", "not-json", "not-json", ["Miller", 1]]);
    for (const encoding of ["ISO-8859-1", "windows-1252"])
      expect((await read("latin1.csv", bytes, { encoding })).rows).toEqual(
        [...names, "Miller"].map((name) => [name, 1]),
      );
    const utf16 = Buffer.from(`\ufeffname,n\n${names[0]},1\n`, "utf16le");
    expect((await read("utf16.csv", utf16, { charset: "UTF-16LE" })).rows).toEqual([[names[0], 1]]);
    expect((await read("utf8.csv", Buffer.from(`\ufeffname,n\n${names[0]},1\n`))).rows).toEqual([[names[0], 1]]);
    const json = Buffer.from(`{"name":"${names[0]}","n":1}\n`, "latin1");
    expect((await read("latin1.jsonl", json)).rows).toEqual(["not-json"]);
    expect((await read("latin1.jsonl", json, { encoding: "latin1" })).rows).toEqual([[names[0], 1]]);
    await expect(read("torn.csv", Buffer.from([0, 0xd8, 0, 0]), { encoding: "utf-16le" })).rejects.toThrow(
      "file-encoding",
    );
  });
});

describe("options", () => {
  const source = (options: object) =>
    codeOf(() => files({ name: "f", schema: columns({ at: timestamp(), n: long() }), options }));

  it.each([
    [{ seperator: ";" }, "option-unknown"],
    [{ sep: "ab" }, "option-invalid"],
    [{ header: "yes" }, "option-invalid"],
    [{ encoding: "klingon" }, "option-invalid"],
    [{ nullValue: [1] }, "option-invalid"],
    [{ timestampFormat: "YYYY" }, "time-pattern"],
  ])("refuse %j", (options, code) => {
    expect(source(options)).toBe(code);
  });

  it("are read from the command line", () => {
    expect([fileOptionOf("sep", "\\t"), fileOptionOf("header", "false"), fileOptionOf("nullValue", "NA")]).toEqual([
      { sep: "\t" },
      { header: false },
      { nullValue: "NA" },
    ]);
    expect(codeOf(() => fileOptionOf("sepp", ";"))).toBe("option-unknown");
  });
});
