import { firstFrom } from "./number-list.js";

/** Values from `fromMs` to before `toMs`; null: no bound. */
export interface HistogramBar {
  readonly fromMs: number;
  readonly toMs: number | null;
  readonly rows: number;
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

/** Bounds that a reader knows, about twice the one before. */
const BOUNDS = [
  1,
  SECOND,
  5 * SECOND,
  15 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  30 * DAY,
];

/** Of ascending values from 0 on: the bars up to the highest value. */
export function histogramOf(sorted: Float64Array): readonly HistogramBar[] {
  const highest = sorted.at(-1) ?? 0;
  const bounds = [0, ...BOUNDS.filter((bound) => bound <= highest)];
  return bounds.map((fromMs, at) => {
    const toMs = bounds[at + 1] ?? null;
    return {
      fromMs,
      toMs,
      rows: (toMs === null ? sorted.length : firstFrom(sorted, toMs)) - firstFrom(sorted, fromMs),
    };
  });
}
