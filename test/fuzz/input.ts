import type { Choices } from "../simulation/choices.js";
import type { Shape } from "./shape.js";

/** An input row; `t` in microseconds since the epoch. */
export interface InputRow {
  readonly t: number | null;
  readonly k: string | null;
  readonly id: string;
  readonly v: number | null;
  /** Closes what is open; no part of the answer. */
  readonly marker?: true;
}

/** A row with its place: `sequence` counts from 1 within the shard. */
export interface PlacedRow extends InputRow {
  readonly source: number;
  readonly shard: number;
  readonly sequence: number;
}

export const BASE = 1_700_000_000_000_000;
const SPAN_SECONDS = 60;
const MAX_ROWS = 40;
/** Beyond every window, gap, bound and delay. */
const MARKER_TIME = BASE + 100_000_000_000;

export const MARKER = "marker";

/** Per source its rows in the order of arrival, a marker at the end. */
export function drawInput(choices: Choices, shape: Shape): readonly (readonly PlacedRow[])[] {
  return Array.from({ length: shape.sources }, (_, source) => {
    const drawn = drawRows(choices, shape, source);
    const sequences = new Map<number, number>();
    const place = (row: InputRow, shard: number): PlacedRow => {
      const sequence = (sequences.get(shard) ?? 0) + 1;
      sequences.set(shard, sequence);
      return { ...row, source, shard, sequence };
    };
    return drawn.map((row) => place(row, choices.pick(shape.shards)));
  });
}

export const markerRow = (source: number, round: number): InputRow => ({
  t: MARKER_TIME + round * 1_000_000,
  k: `${MARKER}-${source}`,
  id: `${MARKER}-${source}-${round}`,
  v: 1_000,
  marker: true,
});

function drawRows(choices: Choices, shape: Shape, source: number): readonly InputRow[] {
  const [head] = shape.stages;
  const deduplicated = head.kind === "dedup" || head.kind === "dedupWithin";
  // What becomes of rows without a time depends on when they come, where deduplication forgets, and in outer joins, which keep them for ever.
  const nullTimes = !(shape.onTime && head.kind === "dedupWithin") && !(head.kind === "join" && head.type !== "inner");
  const rows: InputRow[] = [];
  const count = choices.pick(MAX_ROWS + 1);
  let newest = 0;
  for (let index = 0; index < count; index++) {
    newest += choices.pick((2 * SPAN_SECONDS) / MAX_ROWS) * 1_000_000;
    const earlier =
      rows.length > 0 && deduplicated && choices.chance(0.35) ? rows[choices.pick(rows.length)] : undefined;
    if (shape.onTime && earlier !== undefined && behind(newest, earlier) <= shape.jitterMs * 1000) {
      rows.push(earlier);
      continue;
    }
    // Mostly whole seconds, so that rows meet boundaries; sometimes microseconds.
    const spread = shape.onTime ? shape.jitterMs : 12_000;
    const back = choices.chance(0.1)
      ? choices.pick(spread * 1000 + 1)
      : choices.pick(Math.floor(spread / 1000) + 1) * 1_000_000;
    const row: InputRow = {
      t: nullTimes && choices.chance(0.06) ? null : BASE + newest - back,
      k: choices.chance(0.08) ? null : `k${choices.pick(3)}`,
      id: `${source}-${index}`,
      v: choices.chance(0.1) ? null : choices.pick(10),
    };
    rows.push(
      earlier === undefined || shape.onTime
        ? row
        : { ...row, id: earlier.id, t: choices.chance(0.5) ? earlier.t : row.t },
    );
  }
  return rows;
}

/** How far behind the highest time a row would come now. */
const behind = (newest: number, { t }: InputRow): number => (t === null ? 0 : BASE + newest - t);
