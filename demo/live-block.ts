import { plainText } from "../lib/cli/plain-text.js";
import type { OpenWindow } from "../lib/ui/messages.js";

/** What one screen shows of a job that runs. */
export interface LiveModel {
  readonly name: string;
  readonly done: number;
  readonly total: number;
  /** ISO instant; null before the first row. */
  readonly watermark: string | null;
  readonly results: number;
  readonly late: number;
  readonly malformed: number;
  readonly windows: readonly OpenWindow[];
  /** The last ones, in words. */
  readonly lateRows: readonly string[];
}

const WINDOWS = 6;
const LATE_ROWS = 3;
const BAR = 34;
const [RED, GREEN, DIM, PLAIN] = ["\u001b[31m", "\u001b[32m", "\u001b[2m", "\u001b[0m"];

/** Always as many lines, none wider than `width`: open windows as bars, the watermark, late rows in red, totals. */
export function liveBlock(model: LiveModel, width: number, colours: boolean): readonly string[] {
  const line = (text: string, colour = PLAIN): string => {
    const cut = plainText(text, width - 1).slice(0, width);
    return colours && colour !== PLAIN ? `${colour}${cut}${PLAIN}` : cut;
  };
  const { windows, watermark, done, total, results, late, malformed } = model;
  const open = [...windows].sort((a, b) => a.start - b.start);
  const size = ({ rows, groups }: OpenWindow) => rows ?? groups;
  const most = open.reduce((high, window) => Math.max(high, size(window)), 1);
  const bars = open.slice(0, WINDOWS).map((window) => {
    const left = watermark === null ? "" : leftText(window.end - Date.parse(watermark));
    const count = size(window).toLocaleString("en").padStart(7);
    return line(`  ${time(window.start)}–${time(window.end)} ${bar(size(window) / most, BAR)} ${count}  ${left}`);
  });
  const more = open.length > WINDOWS ? `and ${open.length - WINDOWS} more windows` : "";
  const rows = model.lateRows.slice(-LATE_ROWS).map((text) => line(`  late  ${text}`, RED));
  const mark = watermark === null ? "none yet" : watermark.slice(0, 19).replace("T", " ");
  return [
    line(`${model.name}   watermark ${mark}`, GREEN),
    ...padded(bars, WINDOWS),
    line(`  ${more}`, DIM),
    ...padded(rows, LATE_ROWS),
    line(
      `${bar(done / Math.max(1, total), 20)} ${n(done)} / ${n(total)}   results ${n(results)}  late ${n(late)}  malformed ${n(malformed)}`,
    ),
  ];
}

const n = (value: number): string => value.toLocaleString("en");

const time = (ms: number): string => new Date(ms).toISOString().slice(11, 16);

const bar = (share: number, width: number): string => {
  const filled = Math.min(width, Math.max(0, Math.round(share * width)));
  return `${"█".repeat(filled)}${"░".repeat(width - filled)}`;
};

const leftText = (ms: number): string =>
  ms <= 0
    ? "closing"
    : ms < 120_000
      ? `closes in ${Math.ceil(ms / 1_000)} s`
      : `closes in ${Math.round(ms / 60_000)} min`;

/** The block keeps its height, so that it stands still while windows come and go. */
const padded = (lines: readonly string[], many: number): readonly string[] => [
  ...lines,
  ...Array.from({ length: Math.max(0, many - lines.length) }, () => ""),
];
