import { memory } from "../../../lib/api/descriptors.js";
import type { Model, Scenario, SeenRow } from "./scenario.js";
import { streamOf } from "./stream-of.js";

const IMPRESSIONS = "impressions";
const CLICKS = "clicks";
const WITHIN = 10_000;

/** Clicks up to ten seconds after an impression of the same key; the slower of two streams decides what is late. */
const join = (type: "inner" | "leftOuter"): Scenario => ({
  name: `join-${type}`,
  watermarks: [
    { streams: [IMPRESSIONS], delayMs: 8_000 },
    { streams: [CLICKS], delayMs: 3_000 },
  ],
  definition: (options) =>
    streamOf(options, IMPRESSIONS)
      .withWatermark("t", "8 seconds")
      .join(streamOf(options, CLICKS).rename({ id: "click", t: "at", k: "on" }).withWatermark("at", "3 seconds"), {
        type,
        on: (impression, click) => impression.k.eq(click.on),
        within: { from: "0 seconds", to: "10 seconds" },
      })
      .writeStream({
        queryName: "q",
        outputMode: "append",
        sink: memory(),
        options: { inlineLimitBytes: options.inlineLimitBytes },
      }).definition,
  model: () => model(type === "leftOuter"),
  describe: (row) => pairText(row["id"], row["click"]),
});

const pairText = (id: unknown, click: unknown): string => `${id} ${click ?? "alone"}`;

/** Every row is kept for ever: what is evicted too early shows as a pair that is missing. */
function model(outer: boolean): Model {
  const impressions: SeenRow[] = [];
  const clicks: SeenRow[] = [];
  const answered = new Set<SeenRow>();
  const isPair = ({ row }: SeenRow, click: SeenRow) =>
    row.k === click.row.k && row.t <= click.row.t && click.row.t <= row.t + WITHIN;
  return {
    batch(rows, before, after) {
      const accepted = rows.filter(({ row }) => row.t > before);
      const fresh = new Set(accepted);
      for (const seen of accepted) (seen.record.stream === IMPRESSIONS ? impressions : clicks).push(seen);
      const result: string[] = [];
      for (const impression of impressions) {
        const isFresh = fresh.has(impression);
        for (const click of clicks) {
          if ((!isFresh && !fresh.has(click)) || !isPair(impression, click)) continue;
          answered.add(impression);
          result.push(pairText(impression.row.id, click.row.id));
        }
        // No click can come any more, and one millisecond: Spark's.
        if (!outer || answered.has(impression) || impression.row.t + WITHIN + 1 > after) continue;
        answered.add(impression);
        result.push(pairText(impression.row.id, null));
      }
      return { result, late: rows.filter(({ row }) => row.t <= before).map(({ record }) => record) };
    },
  };
}

export const innerJoin = join("inner");
export const leftOuterJoin = join("leftOuter");
