import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Row, Schema } from "../../lib/plan/schema.js";
import { jsonLines } from "../../lib/sinks/json-lines.js";
import { PARQUET } from "../../lib/sinks/parquet-format.js";

/** An interpreter in which `import duckdb` or `import pyspark` works; `pip install duckdb pyspark`, and Java for the latter. */
const PYTHON = process.env["PYTHON"] ?? "python3";
const SCRIPT = join(import.meta.dirname, "read-parquet.py");

const schema: Schema = {
  fields: [
    { name: "at", type: "timestamp", nullable: true },
    { name: "window", type: "window", nullable: true },
    { name: "views", type: "long", nullable: true },
    { name: "ratio", type: "double", nullable: true },
    { name: "ok", type: "boolean", nullable: true },
    { name: "page", type: "string", nullable: true },
    { name: "tags", type: { array: "string" }, nullable: true },
  ],
};
const noon = Date.UTC(2024, 0, 1, 12);
const rows = Array.from({ length: 3000 }, (_, i): Row => {
  const start = noon + i * 300_000;
  return {
    at: i % 10 === 0 ? null : start + 0.001 * (i % 1000),
    window: i % 10 === 1 ? null : { start, end: start + 300_000 },
    views: i % 10 === 2 ? null : i % 3 === 0 ? 2n ** 60n + BigInt(i) : -i,
    ratio: i % 10 === 3 ? null : i / 7,
    ok: i % 10 === 4 ? null : i % 2 === 0,
    page: i % 10 === 5 ? null : `ä "page" ${i % 50}`,
    tags: i % 10 === 6 ? null : i % 4 === 0 ? [] : ["a", null, `${i}`],
  };
});

it.for(["duckdb", "pyspark"])("%s reads the same rows from Parquet as from JSON lines", async (engine, { skip }) => {
  const found = spawnSync(PYTHON, ["-c", `import ${engine}`]).status === 0;
  if (!found) skip(`${engine} is not installed for ${PYTHON}`);
  const folder = await mkdtemp(join(tmpdir(), "parquet-"));
  try {
    const [parquet, lines] = [join(folder, "rows.parquet"), join(folder, "rows.jsonl")];
    await Promise.all([writeFile(parquet, PARQUET.encode(rows, schema)), writeFile(lines, jsonLines(rows, schema))]);
    const { stdout, stderr } = spawnSync(PYTHON, [SCRIPT, engine, parquet, lines], {
      encoding: "utf8",
      timeout: 55_000,
    });
    expect(stdout.trim(), stderr).toBe(`${rows.length} 0`);
  } finally {
    await rm(folder, { recursive: true });
  }
});
