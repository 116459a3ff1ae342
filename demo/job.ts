import type { OutputRow } from "./outputs.js";
import type { DemoRecord } from "./producer.js";

/** One query of the demo: what it is fed, and how its results read. */
export interface Job {
  readonly name: string;
  readonly title: string;
  /** The file that is bundled as the deployed function would be. */
  readonly queryFile: string;
  readonly queryName: string;
  readonly stream: string;
  /** Of the sink, with its slash. */
  readonly prefix: string;
  readonly total: number;
  /** Between two puts while the page is served: what is to be watched should not be over at once. */
  readonly paceMs: number;
  records(): Iterable<DemoRecord>;
  /** Input rows that a result row stands for. */
  rowsOf(result: OutputRow): number;
  /** A line about windows that have just closed. */
  closed(results: readonly OutputRow[]): string;
}

interface WindowValue {
  readonly start: string;
  readonly end: string;
}

export const windowOf = (row: OutputRow): WindowValue => row["window"] as WindowValue;

/** `2026-11-30 12:00–12:05`, or from first to last where there are several. */
export function spanOf(rows: readonly OutputRow[]): string {
  const starts = rows.map((row) => windowOf(row).start).sort();
  const ends = rows.map((row) => windowOf(row).end).sort();
  const [day, from] = split(starts[0]!);
  const [lastDay, to] = split(ends.at(-1)!);
  return `${day} ${from} – ${day === lastDay ? "" : `${lastDay} `}${to}`;
}

const split = (instant: string): [day: string, time: string] => [instant.slice(0, 10), instant.slice(11, 16)];
