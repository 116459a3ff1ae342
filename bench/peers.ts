import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { seededRandom } from "../lib/local/seeded-random.js";
import type { Figure } from "./figure.js";

const FILES = 20;
const ROWS_PER_FILE = 100_000;
const ROWS = FILES * ROWS_PER_FILE;
/** What is generous to Spark: fewer, larger batches cost it less. */
const SPARK_FILES_PER_BATCH = "4";

interface Answer {
  readonly version: string;
  readonly cpuSeconds: number;
}

interface Peer {
  readonly name: string;
  readonly script: string;
  readonly options: readonly string[];
}

const PEERS: readonly Peer[] = [
  { name: "Spark local[1], 400,000 rows a batch", script: "spark.py", options: ["1", SPARK_FILES_PER_BATCH] },
  { name: "Spark local[2], 400,000 rows a batch", script: "spark.py", options: ["2", SPARK_FILES_PER_BATCH] },
  { name: "DuckDB, one batch, no watermark", script: "duckdb_batch.py", options: ["1"] },
  { name: "polars, one batch, no watermark", script: "polars_batch.py", options: [] },
];

/**
 * Rows per CPU-second of other engines over the same files of page views, those that `python` can import; and of `tidemark run`, its start
 * included, which `ours` measures in a process of its own.
 */
export async function peers(
  python: string,
  ours: (folder: string) => Promise<readonly Figure[]>,
): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "tidemark-peers-"));
  try {
    await generate(folder);
    const figures = (await ours(folder)).map(({ name, value }) => figure(`${name}, 10,000 rows a batch`, value));
    for (const { name, script, options } of PEERS) {
      const answer = await ask(python, script, [folder, ...options]);
      figures.push(
        figure(answer === null ? `${name}: not installed` : `${name}, ${answer.version}`, answer?.cpuSeconds),
      );
    }
    return figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const figure = (name: string, cpuSeconds: number | undefined): Figure => ({
  name,
  value: cpuSeconds === undefined ? Number.NaN : Math.round(ROWS / cpuSeconds),
  unit: "rows/CPU-s",
  budget: null,
});

/** Null: it does not run here. */
async function ask(python: string, script: string, options: readonly string[]): Promise<Answer | null> {
  try {
    const path = new URL(`peers/${script}`, import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(python, [path, ...options]);
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Answer;
  } catch {
    return null;
  }
}

async function generate(folder: string): Promise<void> {
  const random = seededRandom(7);
  let time = Date.UTC(2026, 7, 6, 10);
  for (let file = 0; file < FILES; file++) {
    const lines: string[] = [];
    for (let i = 0; i < ROWS_PER_FILE; i++) {
      time += 7;
      const behind = random() < 0.02 ? random() * 900_000 : random() * 20_000;
      lines.push(
        JSON.stringify({
          eventTime: new Date(Math.floor(time - behind)).toISOString(),
          page: `/p/${Math.floor(random() * random() * 200)}`,
          userId: `u${Math.floor(random() * 5_000)}`,
          referrer: `https://example.org/search?q=${Math.floor(random() * 1e6)}`,
          durationMs: Math.floor(random() * 30_000),
          country: ["IT", "US", "DE", "FR"][Math.floor(random() * 4)],
          device: "mobile",
        }),
      );
    }
    await writeFile(join(folder, `part-${String(file).padStart(3, "0")}.json`), `${lines.join("\n")}\n`);
  }
}
