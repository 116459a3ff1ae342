import { count, sum } from "../../../lib/api/aggregates.js";
import { memory } from "../../../lib/api/descriptors.js";
import { window } from "../../../lib/api/window.js";
import type { Model, Scenario, SeenRow } from "./scenario.js";
import { STREAM, streamOf, timeOf } from "./stream-of.js";

const SIZE = 10_000;
const DELAY = 8_000;

/** Counts per window and key, once, when the window is closed. */
export const tumbling: Scenario = {
  name: "tumbling",
  watermarks: [{ streams: [STREAM], delayMs: DELAY }],
  key: ["window", "k"],
  definition: (options) =>
    streamOf(options)
      .withWatermark("t", "8 seconds")
      .groupBy(window("t", "10 seconds"), "k")
      .agg({ n: count(), ids: sum("id") })
      .writeStream({
        queryName: "q",
        outputMode: "append",
        sink: memory(),
        options: { inlineLimitBytes: options.inlineLimitBytes },
      }).definition,
  model,
  describe: (row) => {
    const { window: w, k, n, ids } = row as { window: { start: string }; k: string; n: number; ids: number };
    return `${timeOf(w.start)} ${k} ${n} ${ids}`;
  },
};

function model(): Model {
  let kept: SeenRow[] = [];
  const endOf = ({ row }: SeenRow) => Math.floor(row.t / SIZE) * SIZE + SIZE;
  return {
    batch(rows, before, after) {
      const late = rows.filter((row) => endOf(row) <= before);
      kept.push(...rows.filter((row) => endOf(row) > before));
      const closed = kept.filter((row) => endOf(row) <= after);
      kept = kept.filter((row) => endOf(row) > after);
      return { result: groupLines(closed, endOf), late: late.map(({ record }) => record) };
    },
  };
}

export function groupLines(rows: readonly SeenRow[], endOf: (row: SeenRow) => number): string[] {
  const groups = new Map<string, { n: number; ids: number }>();
  for (const seen of rows) {
    const key = `${endOf(seen) - SIZE} ${seen.row.k}`;
    const { n, ids } = groups.get(key) ?? { n: 0, ids: 0 };
    groups.set(key, { n: n + 1, ids: ids + seen.row.id });
  }
  return [...groups].map(([key, { n, ids }]) => `${key} ${n} ${ids}`);
}
