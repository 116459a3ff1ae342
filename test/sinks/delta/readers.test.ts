import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { Row, Schema } from "../../../lib/plan/schema.js";
import { memoryLogStore } from "../../../lib/sinks/delta/memory-log-store.js";
import { batchOf, ROOT, table } from "./support.js";

/** An interpreter in which `import deltalake` or `import duckdb` works: `pip install deltalake pyarrow duckdb`. */
const PYTHON = process.env["PYTHON"] ?? "python3";
const SCRIPT = join(import.meta.dirname, "read-delta.py");
const DUCKDB_DELTA = "import duckdb; duckdb.sql('INSTALL delta; LOAD delta')";

const schema: Schema = {
  fields: [
    { name: "page", type: "string", nullable: true },
    { name: "window", type: "window", nullable: true },
    { name: "views", type: "long", nullable: true },
    { name: "ratio", type: "double", nullable: true },
    { name: "tags", type: { array: "string" }, nullable: true },
    { name: "day", type: "string", nullable: true },
  ],
};
const extra: Schema = { fields: [...schema.fields, { name: "rank", type: "int", nullable: true }] };
const noon = Date.UTC(2024, 0, 1, 12);

const row = (i: number): Row => ({
  page: i % 7 === 0 ? null : `ä "page" ${i}`,
  window: i % 7 === 1 ? null : { start: noon + i * 300_000.001, end: noon + (i + 1) * 300_000 },
  views: i % 7 === 2 ? null : i % 3 === 0 ? 2n ** 60n + BigInt(i) : -i,
  ratio: i % 7 === 3 ? null : i / 8,
  tags: i % 7 === 4 ? null : i % 4 === 0 ? [] : ["a", null, `${i}`],
  day: i % 7 === 5 ? null : `2024 01/0${i % 2}`,
});

/** Appends, merges, a new column, and enough commits for a checkpoint; the rows that should be there. */
async function writtenTable(folder: string): Promise<readonly string[]> {
  const store = memoryLogStore();
  const options = { store, partitionBy: ["day"], mergeSchema: true };
  const appending = table(options);
  const merging = table({ ...options, key: ["page"] });
  for (let batchId = 1; batchId <= 12; batchId++)
    await appending.write(batchId, batchOf([row(2 * batchId), row(2 * batchId + 1)], "append", schema));
  await merging.write(13, batchOf([{ ...row(10), ratio: 99, rank: 1 }], "update", extra));
  for (const [key, bytes] of store.objects) {
    const path = join(folder, key.slice(ROOT.length));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  const rows: Row[] = Array.from({ length: 24 }, (_, i) => ({ ...row(i + 2), rank: null }));
  rows[8] = { ...rows[8]!, ratio: 99, rank: 1 };
  return rows.map(pythonText).sort();
}

const time = (ms: number) =>
  `${new Date(Math.floor(ms)).toISOString().slice(0, -1)}${String(Math.round((ms % 1) * 1000)).padStart(3, "0")}`;

function pythonText(row: Row): string {
  const window = row["window"] as { readonly start: number; readonly end: number } | null;
  const values: Record<string, string> = {
    day: JSON.stringify(row["day"]),
    page: JSON.stringify(row["page"]).replace("ä", "\\u00e4"),
    rank: String(row["rank"]),
    ratio: row["ratio"] === null ? "null" : Number.isInteger(row["ratio"]) ? `${row["ratio"]}.0` : String(row["ratio"]),
    tags: JSON.stringify(row["tags"]).replaceAll(",", ", "),
    views: String(row["views"]),
    window: window === null ? "null" : `{"end": "${time(window.end)}", "start": "${time(window.start)}"}`,
  };
  return `{${Object.entries(values)
    .map(([name, text]) => `"${name}": ${text}`)
    .join(", ")}}`;
}

it.for([
  ["deltalake", "import deltalake, pyarrow"],
  ["duckdb", DUCKDB_DELTA],
] as const)("%s reads the rows that were written", async ([engine, probe], { skip }) => {
  if (spawnSync(PYTHON, ["-c", probe]).status !== 0) skip(`${engine} does not read Delta tables in ${PYTHON}`);
  const folder = mkdtempSync(join(tmpdir(), "delta-"));
  try {
    const expected = await writtenTable(folder);
    const { stdout, stderr } = spawnSync(PYTHON, [SCRIPT, engine, folder], { encoding: "utf8", timeout: 55_000 });
    expect(stdout.trim().split("\n"), stderr).toEqual(expected);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
