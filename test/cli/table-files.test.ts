import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { cli, jsonLines, workspace } from "./support.js";

const QUERY = `
import { columns, files, long, memory, readStream, readTable, string } from "tidemark";

const Page = columns({ page: string(), section: string(), weight: long() });
const Owner = columns({ section: string(), owner: string() });

export const withSection = readStream(files({ name: "views", schema: columns({ page: string() }) }))
  .join(readTable({ name: "pages", schema: Page, s3: { key: "tables/pages.jsonl.gz" } }), { type: "leftOuter", using: ["page"] })
  .join(readTable({ name: "owners", schema: Owner, dynamodb: { table: "owners" } }), { type: "leftOuter", using: ["section"] })
  .writeStream({ queryName: "with-section", outputMode: "append", sink: memory() });
`;

const VIEWS = ["/", "/docs", "/none"].map((page) => `${JSON.stringify({ page })}\n`).join("");
const PAGES = "page,section,weight\n/,home,9007199254740993\n/docs,docs,1\n";
const OWNERS = '{"section":"home","owner":"ann"}\n';

test("files stand in for the fixed tables of a query, in any format of inputs", async () => {
  const { directory, file } = workspace();
  const owners = join(directory, "owners.jsonl.gz");
  writeFileSync(owners, gzipSync(OWNERS));
  const args = ["run", file("q.ts", QUERY), "--input", file("v.jsonl", VIEWS), "--json"];
  const { code, stdout, stderr } = await cli([
    ...args,
    "--table",
    `pages=${file("p.csv", PAGES)}`,
    "--table",
    `owners=${owners}`,
  ]);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('"weight":9007199254740993,');
  expect(jsonLines(stdout).flatMap((line) => (line as { row?: unknown }).row ?? [])).toMatchObject([
    { section: "home", page: "/", owner: "ann" },
    { section: "docs", page: "/docs", weight: 1, owner: null },
    { section: null, page: "/none", weight: null, owner: null },
  ]);
});

test("a table without a file, a file without a table and a row that does not fit are said before anything runs", async () => {
  const { file } = workspace();
  const args = ["run", file("q.ts", QUERY), "--input", file("v.jsonl", VIEWS), "--json"];
  const pages = `pages=${file("p.csv", PAGES)}`;
  const run = async (...tables: readonly string[]) =>
    await cli([...args, ...tables.flatMap((table) => ["--table", table])]);
  expect(await run(pages)).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("The table owners stands in dynamodb: give its rows, --table owners=FILE."),
  });
  expect(await run(pages, "others=o.jsonl")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Write --table NAME=FILE, for pages and owners."),
  });
  const wrong = await run(pages, `owners=${file("o.jsonl", `${OWNERS}{"owner":7}\n`)}`);
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('[table-row] Row 2 of the table "owners"') });
  const wide = await run(pages, `owners=${file("o.csv", "section,owner\nhome,ann\ndocs,bob,7\n")}`);
  expect(wide.stderr).toContain('Row 2 of the table "owners" does not fit its schema: 3 cells under 2 names.');
  expect(await run(pages, "owners=nowhere.jsonl")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("[file-unreadable]"),
  });
});
