import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "./job.js";
import type { OutputReader } from "./outputs.js";
import { folder } from "./run-job.js";

const OUTPUTS = [
  ["results", ""],
  ["late", ".late"],
  ["malformed", ".malformed"],
] as const;

/** What the bucket holds of a job, as JSON lines that anything reads; returns the files' names. */
export async function writeOutputs(reader: OutputReader, job: Job, directory: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const [name, side] of OUTPUTS) {
    const rows = await reader.newRows(folder(job, side));
    const file = join(directory, `${job.name}.${name}.jsonl`);
    await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    files.push(file);
  }
  return files;
}
