import type { LatenessReport } from "../lateness/lateness-report.js";
import type { Quantiles } from "../lateness/quantiles.js";
import { shortDuration } from "../time/short-duration.js";
import { textTable } from "./text-table.js";

const BAR = 40;

const n = (value: number): string => value.toLocaleString("en");
const percent = (share: number): string => (share === 0 ? "0" : `${(share * 100).toPrecision(3)}`);

/** What a person reads of a report. `ownDelay`, in ms, is marked in the table. */
export function latenessText(report: LatenessReport, name: string, ownDelay: number | null): string {
  const { quantiles, rows, batches } = report;
  if (quantiles === null) return `${name}: no row has an event time.\n`;
  return [
    `${name}: ${n(rows)} rows with an event time, in ${n(batches)} micro-batches`,
    "",
    ...quantileLines(quantiles, report.arrivalQuantiles),
    "",
    "how late rows are, as the watermark sees it",
    ...histogramLines(report),
    "",
    ...candidateLines(report, ownDelay),
    "",
    ...recommendation(report),
    "",
  ].join("\n");
}

function quantileLines(seen: Quantiles, arrivals: Quantiles | null): readonly string[] {
  const names = ["p50", "p90", "p95", "p99", "p999", "max"] as const;
  const line = (label: string, quantiles: Quantiles) => [label, ...names.map((key) => shortDuration(quantiles[key]))];
  const rows = [line("behind the highest event time so far", seen)];
  if (arrivals !== null) rows.push(line("arrival less event time", arrivals));
  const table = textTable(["lateness", ...names.map((key) => (key === "p999" ? "p99.9" : key))], rows);
  if (arrivals === null) return table;
  return [
    ...table,
    "The watermark follows the highest event time so far. A row that comes early pushes it forward, and so makes all rows",
    "behind it later than their own delay says. Choose by the first line: it is what decides which rows are late.",
  ];
}

function histogramLines({ histogram, rows }: LatenessReport): readonly string[] {
  const most = Math.max(1, ...histogram.map((bar) => bar.rows));
  const cells = histogram.map(({ fromMs, toMs, rows: count }) => [
    toMs === null ? `${shortDuration(fromMs)} and more` : `under ${shortDuration(toMs)}`,
    n(count),
    percent(count / rows),
    "█".repeat(Math.ceil((count / most) * BAR)),
  ]);
  return textTable(["late by", "rows", "%", ""], cells);
}

function candidateLines({ candidates }: LatenessReport, ownDelay: number | null): readonly string[] {
  const cells = candidates.map(({ delay, lateRows, lateShare, lateGroups, peakStateRows, latency }) => [
    `${shortDuration(delay)}${delay === ownDelay ? " (the query's)" : ""}`,
    n(lateRows),
    percent(lateShare),
    lateGroups === null ? "" : n(lateGroups),
    peakStateRows === null ? "" : n(peakStateRows),
    latency === null ? "" : shortDuration(latency),
  ]);
  return textTable(["delay", "late rows", "%", "groups hit", "peak state rows", "window written after"], cells);
}

function recommendation({ candidates, recommended, keep }: LatenessReport): readonly string[] {
  const at = candidates.findIndex(({ delay }) => delay === recommended);
  const [chosen, next] = [candidates[at], candidates[at + 1]];
  if (chosen === undefined) return ["No row reaches an operator that could find it late: the delay loses nothing."];
  const lines = [
    `Recommended: ${shortDuration(chosen.delay)} keeps ${Number((keep * 100).toFixed(6))} % of the rows; ${n(chosen.lateRows)} would be late.`,
  ];
  if (next === undefined) return lines;
  const rows = (next.peakStateRows ?? 0) - (chosen.peakStateRows ?? 0);
  const state = next.peakStateRows === null ? "" : `, ${n(rows)} more state rows at the peak`;
  return [
    ...lines,
    `The next step, ${shortDuration(next.delay)}, saves ${n(chosen.lateRows - next.lateRows)} of them and costs ` +
      `${shortDuration(next.delay - chosen.delay)} more latency${state}.`,
  ];
}
