import type { Job } from "./job.js";
import type { OutputReader } from "./outputs.js";
import { folder } from "./run-job.js";

/** The account of one job, read from the bucket alone. */
export interface Tally {
  readonly job: string;
  readonly published: number;
  readonly counted: number;
  readonly late: number;
  readonly malformed: number;
  readonly results: number;
  readonly batches: number;
  readonly rowsPerSecond: number;
  readonly adds: boolean;
  /** Where its outputs were left. */
  readonly files: readonly string[];
}

/** What this run did of the job; an earlier one may have done the rest. */
export interface Effort {
  readonly seconds: number;
  readonly batches: number;
  readonly rows: number;
}

export async function tally(reader: OutputReader, job: Job, effort: Effort): Promise<Omit<Tally, "files">> {
  const { seconds, batches, rows } = effort;
  const results = await reader.newRows(folder(job, ""));
  const late = (await reader.newRows(folder(job, ".late"))).length;
  const malformed = (await reader.newRows(folder(job, ".malformed"))).length;
  const counted = results.reduce((sum, row) => sum + job.rowsOf(row), 0);
  return {
    job: job.name,
    published: job.total,
    counted,
    late,
    malformed,
    results: results.length,
    batches,
    rowsPerSecond: Math.round(rows / seconds),
    adds: counted + late + malformed === job.total,
  };
}

export function summaryLines(tallies: readonly Tally[]): readonly string[] {
  const columns = ["job", "rows", "= counted", "+ late", "+ malformed", "window rows", "batches", "rows/s", ""];
  const cells = tallies.map((t) => [
    t.job,
    n(t.published),
    n(t.counted),
    n(t.late),
    n(t.malformed),
    n(t.results),
    n(t.batches),
    n(t.rowsPerSecond),
    t.adds ? "adds up" : "DOES NOT ADD UP",
  ]);
  const widths = columns.map((column, i) => Math.max(column.length, ...cells.map((row) => row[i]!.length)));
  return [columns, ...cells].map((row) =>
    row
      .map((cell, i) => (i === 0 || i === 8 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join("  ")
      .trimEnd(),
  );
}

const n = (value: number): string => value.toLocaleString("en");
