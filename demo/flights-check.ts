import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs, promisify } from "node:util";
import { s3ObjectStore } from "../lib/checkpoint/s3-object-store.js";
import { startStack } from "../lib/local/stack.js";
import { exportFlights } from "./export-flights.js";
import { flightJob } from "./flight-job.js";
import { type FlightTable, readFlights } from "./flight-table.js";
import { type OutputRow, outputReader } from "./outputs.js";
import { BUCKET, folder, runJob } from "./run-job.js";
import { openScreen } from "./screen.js";

process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";

const USAGE = `npm run flights-check -- [options]

Runs the flights query over the same flights in two ways, through \`tidemark run\` and through the embedded stack, and compares
windows and late rows. Exits 1 if they differ.

  --flights N      so many flights, all 3,000,000 by default
  --batch-size N   5,000 by default; more do not fit the 6 MB of a Lambda event
`;

/** Long enough that every batch is full, but for the last. */
const BATCHING_WINDOW_MS = 10_000;

/** Lines of a canonical form, sorted: equal lists are equal outputs. */
interface Outputs {
  readonly windows: readonly string[];
  readonly late: readonly string[];
  readonly flights: number;
  readonly seconds: number;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      flights: { type: "string", default: "3000000" },
      "batch-size": { type: "string", default: "5000" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const table = await readFlights(Number(values.flights));
  const batchSize = Number(values["batch-size"]);
  const overFiles = await throughCommandLine(table, batchSize);
  report("tidemark run", table, overFiles);
  const onStack = await throughStack(table, batchSize);
  report("embedded stack", table, onStack);
  const same = equal(overFiles.windows, onStack.windows) && equal(overFiles.late, onStack.late);
  const closes = [overFiles, onStack].every(({ flights, late }) => flights + late.length === table.count);
  process.stdout.write(same ? "the same windows and late rows\n" : "WINDOWS OR LATE ROWS DIFFER\n");
  process.stdout.write(closes ? "counted + late = flights\n" : "COUNTED + LATE IS NOT FLIGHTS\n");
  return same && closes ? 0 : 1;
}

async function throughCommandLine(table: FlightTable, batchSize: number): Promise<Outputs> {
  const directory = await mkdtemp(join(tmpdir(), "tidemark-flights-"));
  try {
    const [input, output] = [join(directory, "flights.jsonl"), join(directory, "output")];
    await exportFlights(table, input);
    const started = performance.now();
    const run = ["run", "functions/flights.ts", "--input", input, "--output", output];
    const options = ["--batch-size", String(batchSize), "--drain"];
    await promisify(execFile)(process.execPath, ["--import", "tsx", "lib/cli/main.ts", ...run, ...options]);
    const seconds = (performance.now() - started) / 1000;
    return outputs(await rowsOf(join(output, "result.jsonl")), await rowsOf(join(output, "late.jsonl")), seconds);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function throughStack(table: FlightTable, batchSize: number): Promise<Outputs> {
  const stack = await startStack();
  try {
    const job = flightJob(table);
    const started = performance.now();
    const screen = openScreen(process.stdout);
    const quiet = { ...screen, line: () => {} };
    await runJob(stack, job, { batchSize, batchingWindowMs: BATCHING_WINDOW_MS }, quiet);
    const seconds = (performance.now() - started) / 1000;
    const reader = outputReader(s3ObjectStore(stack.clients.s3, BUCKET));
    return outputs(await reader.newRows(folder(job, "")), await reader.newRows(folder(job, ".late")), seconds);
  } finally {
    await stack.stop();
  }
}

/** A file may be missing: an output without rows is never written. */
async function rowsOf(path: string): Promise<readonly OutputRow[]> {
  const rows: OutputRow[] = [];
  const input = createReadStream(path);
  try {
    for await (const line of createInterface({ input })) rows.push(JSON.parse(line) as OutputRow);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return rows;
}

/** Where a late row came from differs between a file and a stream; all else must not. */
const outputs = (windows: readonly OutputRow[], late: readonly OutputRow[], seconds: number): Outputs => ({
  windows: windows.map((row) => JSON.stringify(row)).sort(),
  late: late.map(({ source: _, ...row }) => JSON.stringify(row)).sort(),
  flights: windows.reduce((sum, row) => sum + Number(row["flights"]), 0),
  seconds,
});

const equal = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, at) => line === b[at]);

function report(way: string, { count }: FlightTable, { windows, late, flights, seconds }: Outputs): void {
  const n = (value: number) => Math.round(value).toLocaleString("en");
  process.stdout.write(
    `${way.padEnd(14)}  ${n(count)} flights = ${n(flights)} counted in ${n(windows.length)} windows + ${n(late.length)} late; ` +
      `${seconds.toFixed(1)} s, ${n(count / seconds)} rows/s\n`,
  );
}

process.exitCode = await main();
