import { written } from "./query-of.js";
import type { Scenario } from "./scenario.js";
import { STREAM, streamOf, timeOf } from "./stream-of.js";

const DELAY = 8_000;

/** Producers that send an id again are answered once, as long as the repeat comes within the delay. */
export const dedup: Scenario = {
  name: "dedup",
  watermarks: [{ streams: [STREAM], delayMs: DELAY }],
  key: ["id"],
  definition: (options) =>
    streamOf(options)
      .withWatermark("t", "8 seconds")
      .dropDuplicatesWithinWatermark(["id"])
      .writeStream(written(options, "append")).definition,
  model() {
    let known: { readonly id: number; readonly expiry: number }[] = [];
    return {
      batch(rows, before, after) {
        const late = rows.filter(({ row }) => row.t <= before);
        const result: string[] = [];
        for (const { row } of rows) {
          if (row.t <= before || known.some(({ id }) => id === row.id)) continue;
          known.push({ id: row.id, expiry: row.t + DELAY });
          result.push(`${row.id} ${row.t} ${row.k}`);
        }
        known = known.filter(({ expiry }) => expiry > after);
        return { result, late: late.map(({ record }) => record) };
      },
    };
  },
  describe: (row) => `${row["id"]} ${timeOf(row["t"])} ${row["k"]}`,
};
