import { countsPerWindow, written } from "./query-of.js";
import type { Scenario, SeenRow } from "./scenario.js";
import { STREAM, streamOf } from "./stream-of.js";
import { endOf, groupLines, tumbling } from "./tumbling.js";

/** The same counts, every time they change. */
export const update: Scenario = {
  name: "update",
  watermarks: [{ streams: [STREAM], delayMs: 8_000 }],
  key: ["window", "k"],
  definition: (options) =>
    countsPerWindow(streamOf(options), options).writeStream(written(options, "update")).definition,
  model() {
    let kept: SeenRow[] = [];
    const groupOf = (seen: SeenRow) => `${endOf(seen)} ${seen.row.k}`;
    return {
      batch(rows, before, after) {
        const late = rows.filter((row) => endOf(row) <= before);
        const accepted = rows.filter((row) => endOf(row) > before);
        const touched = new Set(accepted.map(groupOf));
        kept.push(...accepted);
        const result = groupLines(kept.filter((row) => touched.has(groupOf(row))));
        kept = kept.filter((row) => endOf(row) > after);
        return { result, late: late.map(({ record }) => record) };
      },
    };
  },
  describe: tumbling.describe,
};
