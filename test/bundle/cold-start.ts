import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const RUNS = 9;
const MEASURE =
  "const t=performance.now();await import(process.argv[1]);process.stdout.write(String(performance.now()-t));";

/** Median time in ms to import a handler in a fresh process: what Lambda's init phase adds to Node's own start. */
export async function importMs(file: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const args = ["--enable-source-maps", "--input-type=module", "--eval", MEASURE, pathToFileURL(file).href];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    times.push(Number(stdout));
  }
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)]!;
}

export async function emptyHandler(directory: string): Promise<string> {
  const file = join(directory, "empty.mjs");
  await writeFile(file, "export const handler = async () => ({});\n");
  return file;
}
