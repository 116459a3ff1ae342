import { count, sum } from "../../../lib/api/aggregates.js";
import { memory } from "../../../lib/api/descriptors.js";
import { window } from "../../../lib/api/window.js";
import type { Scenario, SeenRow } from "./scenario.js";
import { STREAM, streamOf } from "./stream-of.js";
import { groupLines, tumbling } from "./tumbling.js";

const SIZE = 10_000;

/** The same counts, every time they change. */
export const update: Scenario = {
  name: "update",
  watermarks: [{ streams: [STREAM], delayMs: 8_000 }],
  key: ["window", "k"],
  definition: (options) =>
    streamOf(options)
      .withWatermark("t", "8 seconds")
      .groupBy(window("t", "10 seconds"), "k")
      .agg({ n: count(), ids: sum("id") })
      .writeStream({
        queryName: "q",
        outputMode: "update",
        sink: memory(),
        options: { inlineLimitBytes: options.inlineLimitBytes },
      }).definition,
  model() {
    let kept: SeenRow[] = [];
    const endOf = ({ row }: SeenRow) => Math.floor(row.t / SIZE) * SIZE + SIZE;
    const groupOf = (seen: SeenRow) => `${endOf(seen)} ${seen.row.k}`;
    return {
      batch(rows, before, after) {
        const late = rows.filter((row) => endOf(row) <= before);
        const accepted = rows.filter((row) => endOf(row) > before);
        const touched = new Set(accepted.map(groupOf));
        kept.push(...accepted);
        const result = groupLines(
          kept.filter((row) => touched.has(groupOf(row))),
          endOf,
        );
        kept = kept.filter((row) => endOf(row) > after);
        return { result, late: late.map(({ record }) => record) };
      },
    };
  },
  describe: tumbling.describe,
};
