import { closestName } from "../plan/closest-name.js";
import type { OutputBatch, Sink } from "../sinks/sink.js";
import type { FileColumns } from "../sources/files.js";

/** What a run says of the rows that did not land, and whether a script should hear of it. */
interface RunTroubles {
  /** The sink of malformed records, which counts what goes into it. */
  counting(sink: Sink): Sink;
  sawColumns(columns: FileColumns): void;
  warn(sentence: string): void;
  /** Lines for the end of the run, each with two blanks before it. */
  text(counts: RowCounts): string;
  /** Whether nothing or nearly nothing landed, or a file lacks a declared column; strict: whether anything is amiss. */
  isAmiss(counts: RowCounts, strict: boolean): boolean;
}

interface RowCounts {
  readonly records: number;
  readonly rows: number;
  readonly late: number;
  readonly malformed: number;
  readonly filtered: number;
}

/** From this share of rows that did not land on, nearly none did. */
const NEARLY_ALL = 0.99;
const REASONS_SHOWN = 3;
const REASONS_KEPT = 1000;

export function runTroubles(): RunTroubles {
  const reasons = new Map<string, number>();
  const lacking: FileColumns[] = [];
  const warnings = new Set<string>();
  return {
    counting: (sink) => ({
      ...sink,
      stage(batch) {
        if (batch.output === "malformed") count(reasons, batch);
        return sink.stage(batch);
      },
    }),
    sawColumns(columns) {
      if (columns.missing.length > 0) lacking.push(columns);
    },
    warn(sentence) {
      // The instants differ from batch to batch; the first ones tell as much.
      if (![...warnings].some((known) => known.slice(0, 20) === sentence.slice(0, 20))) warnings.add(sentence);
    },
    text(counts) {
      const lines = [...lostLines(counts, reasons), ...lacking.map(lackingLine), ...warnings];
      return lines.map((line) => `  ${line}\n`).join("");
    },
    isAmiss: (counts, strict) =>
      lacking.some(isFault) || shareLost(counts) >= NEARLY_ALL || (strict && (lost(counts) > 0 || warnings.size > 0)),
  };
}

/** Numbers in a detail would make each of its own. */
function count(reasons: Map<string, number>, { rows }: OutputBatch): void {
  for (const { reason, detail } of rows) {
    const text = `${reason}: ${String(detail).replace(/\d[\d,]*/g, "…")}`;
    if (reasons.has(text) || reasons.size < REASONS_KEPT) reasons.set(text, (reasons.get(text) ?? 0) + 1);
  }
}

const lost = ({ late, malformed, filtered }: RowCounts): number => late + malformed + filtered;

/** A source that is read twice has its rows counted twice, and so have its filters. */
const shareLost = (counts: RowCounts): number =>
  counts.records === 0 ? 0 : lost(counts) / Math.max(counts.rows, counts.records);

const n = (value: number): string => value.toLocaleString("en");

function lostLines(counts: RowCounts, reasons: ReadonlyMap<string, number>): readonly string[] {
  const named = [...reasons].sort(([, a], [, b]) => b - a);
  const shown = named.slice(0, REASONS_SHOWN).map(([text, times]) => `${n(times)} × ${text}`);
  const more = named.length > REASONS_SHOWN ? [`… and ${n(named.length - REASONS_SHOWN)} more reasons`] : [];
  const share = shareLost(counts);
  if (share < NEARLY_ALL) return [...shown, ...more];
  const landed = `${share >= 1 ? "Nothing" : "Nearly nothing"} landed: of ${n(counts.records)} records`;
  const where = `${n(counts.malformed)} were malformed, ${n(counts.late)} late, ${n(counts.filtered)} filtered out.`;
  return [`${landed} ${where}`, ...shown, ...more];
}

const nearOf = (name: string, { found }: FileColumns): string | undefined => closestName(name, found);

/** A header says what is not there; a member may stand in later records, unless another looks like it. */
const isFault = (columns: FileColumns): boolean =>
  columns.sampled === undefined || columns.missing.some((name) => nearOf(name, columns) !== undefined);

function lackingLine(columns: FileColumns): string {
  const { path, found, missing, sampled } = columns;
  const meant = missing.map((name) => {
    const near = nearOf(name, columns);
    return near === undefined ? `'${name}'` : `'${name}' (it has '${near}')`;
  });
  const names = found.slice(0, 20).join(", ");
  const all = `${names}${found.length > 20 ? ", …" : ""}`;
  return sampled === undefined
    ? `${path} lacks ${meant.join(", ")}; its columns are ${all}.`
    : `The first ${n(sampled)} records of ${path} lack ${meant.join(", ")}; they have ${all}.`;
}
