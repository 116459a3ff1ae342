import type { QueryProgress } from "../runtime/progress.js";

/** The account of a run, summed over its micro-batches. */
interface RunSummary {
  readonly query: string;
  readonly batches: number;
  readonly records: number;
  readonly rows: number;
  readonly results: number;
  readonly late: number;
  readonly malformed: number;
  readonly filtered: number;
  readonly stateRows: number;
  readonly watermark: string | null;
}

export const NOTHING_RUN = (query: string): RunSummary => ({
  query,
  batches: 0,
  records: 0,
  rows: 0,
  results: 0,
  late: 0,
  malformed: 0,
  filtered: 0,
  stateRows: 0,
  watermark: null,
});

export const addProgress = (sum: RunSummary, progress: QueryProgress): RunSummary => ({
  query: sum.query,
  batches: sum.batches + 1,
  records: sum.records + progress.deliveredRecords - progress.skippedRecords,
  rows: sum.rows + progress.numInputRows,
  results: sum.results + progress.sink.numOutputRows,
  late: sum.late + progress.numLateInputRows + progress.drainedRows,
  malformed: sum.malformed + progress.malformedRows + progress.withoutTimeRows,
  filtered: sum.filtered + progress.filteredRows,
  stateRows: progress.stateOperators.reduce((total, { numRowsTotal }) => total + numRowsTotal, 0),
  watermark: progress.eventTime.watermark ?? sum.watermark,
});

export function summaryText(sum: RunSummary, seconds: number, drained: boolean): string {
  const n = (value: number) => value.toLocaleString("en");
  const rate = seconds > 0 ? `, ${n(Math.round(sum.records / seconds))} records/s` : "";
  const open =
    sum.stateRows > 0 && !drained
      ? `  ${n(sum.stateRows)} state ${sum.stateRows === 1 ? "row is" : "rows are"} still open; --drain closes them.\n`
      : "";
  return (
    `${sum.query}: ${n(sum.records)} records in ${n(sum.batches)} micro-batches, ${seconds.toFixed(1)} s${rate}\n` +
    `  ${n(sum.results)} result rows, ${n(sum.late)} late, ${n(sum.malformed)} malformed, ${n(sum.filtered)} filtered; ` +
    `watermark ${sum.watermark ?? "none"}\n${open}`
  );
}

/** After an interruption: what is kept, and how to go on. */
export const interruptedText = (checkpoint: string | undefined): string =>
  checkpoint === undefined
    ? "  Interrupted. Nothing is kept to go on from; with --checkpoint DIR a run can be interrupted and resumed.\n"
    : `  Interrupted. Position and state are in ${checkpoint}: the same command goes on from here.\n`;
