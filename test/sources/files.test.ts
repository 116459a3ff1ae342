import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Row, Schema } from "../../lib/plan/schema.js";
import { PARQUET } from "../../lib/sinks/parquet-format.js";
import { fileBatches } from "../../lib/sources/files.js";
import { compileRowDecoder } from "../../lib/sources/row-decoder.js";
import { compileStandardDecoder } from "../../lib/sources/standard-decoder.js";

const schema: Schema = {
  fields: [
    { name: "at", type: "timestamp", nullable: true },
    { name: "local", type: "timestamp_ntz", nullable: true },
    { name: "n", type: "long", nullable: true },
    { name: "page", type: "string", nullable: true },
    { name: "tags", type: { array: "long" }, nullable: true },
  ],
};
const rows: readonly Row[] = [
  { at: Date.UTC(2024, 0, 1) + 0.001, local: Date.UTC(2024, 0, 2), n: 9007199254740993n, page: 'a,"b"', tags: [1, 2] },
  { at: null, local: null, n: -5, page: "ä", tags: null },
  { at: 0, local: 0, n: null, page: null, tags: [] },
];
const JSONL = [
  '{"at":"2024-01-01T00:00:00.000001Z","local":"2024-01-02T00:00:00","n":9007199254740993,"page":"a,\\"b\\"","tags":[1,2]}',
  '{"n":-5,"page":"ä"}',
  '{"at":0,"local":0,"tags":[]}',
].join("\n");
const CSV = [
  "at,local,n,page,tags",
  '2024-01-01T00:00:00.000001Z,2024-01-02T00:00:00,9007199254740993,"a,""b""","[1,2]"',
  ",,-5,ä,",
  "0,1970-01-01T00:00:00,,,[]",
].join("\r\n");

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "files-"));
  await Promise.all([
    writeFile(at("rows.jsonl"), JSONL),
    writeFile(at("rows.jsonl.gz"), gzipSync(JSONL)),
    writeFile(at("rows.csv"), CSV),
    writeFile(at("rows.csv.gz"), gzipSync(CSV)),
    writeFile(at("rows.parquet"), PARQUET.encode(rows, schema)),
    writeFile(
      at("many.parquet"),
      PARQUET.encode(
        Array.from({ length: 2500 }, (_, n): Row => ({ n })),
        schema,
      ),
    ),
    writeFile(at("twice.csv"), "a,a\n1,2\n"),
  ]);
});
afterAll(() => rm(folder, { recursive: true }));

const read = async (paths: readonly string[], batchSize = 1000, skip = 0) => {
  const batches = [];
  for await (const batch of fileBatches({ paths: paths.map(at), schema, batchSize, skip })) batches.push(batch);
  return batches;
};

describe("fileBatches", () => {
  it.each(["rows.jsonl", "rows.jsonl.gz", "rows.csv", "rows.csv.gz", "rows.parquet"])("reads %s", async (name) => {
    const decode = compileRowDecoder(schema);
    expect((await read([name])).flat().map(({ data }) => decode(data))).toEqual(rows.map((row) => ({ row })));
  });

  it("numbers the records over all files, without arrival, in batches of the given size", async () => {
    const batches = await read(["rows.jsonl", "rows.csv", "rows.parquet"], 4);
    expect(batches.map((batch) => batch.map(({ sequence }) => Number(sequence)))).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9],
    ]);
    expect(batches.flat().every(({ sub, arrival }) => sub === 0 && arrival === null)).toBe(true);
  });

  it("goes on after the records that an earlier run consumed", async () => {
    const batches = await read(["rows.jsonl", "rows.csv"], 2, 4);
    expect(batches.map((batch) => batch.map(({ sequence }) => Number(sequence)))).toEqual([[5, 6]]);
  });

  it("reads every row group of a Parquet file once and in order", async () => {
    const decode = compileRowDecoder(schema);
    const numbers = (await read(["many.parquet"])).flat().map(({ data }) => {
      const decoded = decode(data);
      return "row" in decoded ? decoded.row["n"] : decoded.malformed;
    });
    expect(numbers).toEqual(Array.from({ length: 2500 }, (_, n) => n));
  });

  it("says which file cannot be read", async () => {
    await expect(read(["absent.jsonl"])).rejects.toThrow(/file-unreadable.*absent/);
    await writeFile(at("broken.parquet"), "PAR1");
    await expect(read(["broken.parquet"])).rejects.toThrow(/file-unreadable.*broken/);
    await expect(read(["twice.csv"])).rejects.toThrow(/csv-header/);
  });

  it("passes a row of CSV with too many cells on as malformed, whatever it would decode to, and reads the next one", async () => {
    // With the comma before them 1,000,001.
    const commas = ",".repeat(1_000_000);
    await writeFile(at("wide.csv"), `page\n/a\n{"page":"/x",${commas}"n":1}\n{"page":"/b", "n":1}\n/c\n`);
    const records = (await read(["wide.csv"])).flat();
    const wide = { malformed: "too-many-cells", detail: "1000002 cells under 1 names" };
    const two = { malformed: "too-many-cells", detail: "2 cells under 1 names" };
    const standard = {
      "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) },
    } as const;
    const onlyPage: Schema = { fields: [{ name: "page", type: "string", nullable: true }] };
    for (const decode of [compileRowDecoder(onlyPage), compileStandardDecoder(standard, onlyPage)]) {
      const { rows: decoded, malformed } = decode.batch!(records);
      expect(decoded).toEqual([{ page: "/a" }, null, null, { page: "/c" }]);
      expect([...malformed]).toEqual([
        [1, wide],
        [2, two],
      ]);
    }
    expect(records[1]!.data.byteLength).toBeLessThan(100_000);
  });

  it("refuses a header of more names than a row may have cells", async () => {
    await writeFile(at("names.csv"), `${Array.from({ length: 20_481 }, (_, n) => `c${n}`).join(",")}\n`);
    await expect(read(["names.csv"])).rejects.toThrow("[csv-header] The header of");
  });
});
