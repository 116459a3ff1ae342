import { countsPerWindow, written } from "./query-of.js";
import type { Model, Scenario, SeenRow } from "./scenario.js";
import { STREAM, streamOf, timeOf } from "./stream-of.js";

const SIZE = 10_000;
export const endOf = ({ row }: SeenRow): number => Math.floor(row.t / SIZE) * SIZE + SIZE;
const DELAY = 8_000;

/** Counts per window and key, once, when the window is closed. */
export const tumbling: Scenario = {
  name: "tumbling",
  watermarks: [{ streams: [STREAM], delayMs: DELAY }],
  key: ["window", "k"],
  definition: (options) =>
    countsPerWindow(streamOf(options), options).writeStream(written(options, "append")).definition,
  model,
  describe: (row) => {
    const { window: w, k, n, ids } = row as { window: { start: string }; k: string; n: number; ids: number };
    return `${timeOf(w.start)} ${k} ${n} ${ids}`;
  },
};

function model(): Model {
  let kept: SeenRow[] = [];
  return {
    batch(rows, before, after) {
      const late = rows.filter((row) => endOf(row) <= before);
      kept.push(...rows.filter((row) => endOf(row) > before));
      const closed = kept.filter((row) => endOf(row) <= after);
      kept = kept.filter((row) => endOf(row) > after);
      return { result: groupLines(closed), late: late.map(({ record }) => record) };
    },
  };
}

export function groupLines(rows: readonly SeenRow[]): string[] {
  const groups = new Map<string, { n: number; ids: number }>();
  for (const seen of rows) {
    const key = `${endOf(seen) - SIZE} ${seen.row.k}`;
    const { n, ids } = groups.get(key) ?? { n: 0, ids: 0 };
    groups.set(key, { n: n + 1, ids: ids + seen.row.id });
  }
  return [...groups].map(([key, { n, ids }]) => `${key} ${n} ${ids}`);
}
