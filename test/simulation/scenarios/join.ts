import { written } from "./query-of.js";
import type { Scenario, SeenRow } from "./scenario.js";
import { streamOf } from "./stream-of.js";

const IMPRESSIONS = "impressions";
const CLICKS = "clicks";
const WITHIN = 10_000;

/** When an impression without a click is given up: no click can come any more, and one millisecond, which is Spark's. */
export const JOIN_WAIT = WITHIN + 1;

export const joined = (options: Parameters<typeof streamOf>[0], type: "inner" | "leftOuter") =>
  streamOf(options, IMPRESSIONS)
    .withWatermark("t", "8 seconds")
    .join(streamOf(options, CLICKS).rename({ id: "click", t: "at", k: "on" }).withWatermark("at", "3 seconds"), {
      type,
      on: (impression, click) => impression.k.eq(click.on),
      within: { from: "0 seconds", to: "10 seconds" },
    });

/** Clicks up to ten seconds after an impression of the same key; the slower of two streams decides what is late. */
const join = (type: "inner" | "leftOuter"): Scenario => ({
  name: `join-${type}`,
  watermarks: [
    { streams: [IMPRESSIONS], delayMs: 8_000 },
    { streams: [CLICKS], delayMs: 3_000 },
  ],
  definition: (options) => joined(options, type).writeStream(written(options, "append")).definition,
  model() {
    const next = pairing(type === "leftOuter");
    return {
      batch(rows, before, after) {
        const { pairs, late } = next(rows, before, after);
        return {
          result: pairs.map(({ impression, click }) => pairText(impression.row.id, click?.row.id)),
          late: late.map(({ record }) => record),
        };
      },
    };
  },
  describe: (row) => pairText(row["id"], row["click"]),
});

const pairText = (id: unknown, click: unknown): string => `${id} ${click ?? "alone"}`;

interface Pair {
  readonly impression: SeenRow;
  readonly click: SeenRow | null;
}

/** Every row is kept for ever: what is evicted too early shows as a pair that is missing. */
export function pairing(outer: boolean) {
  const impressions: SeenRow[] = [];
  const clicks: SeenRow[] = [];
  const answered = new Set<SeenRow>();
  const isPair = ({ row }: SeenRow, click: SeenRow) =>
    row.k === click.row.k && row.t <= click.row.t && click.row.t <= row.t + WITHIN;
  return (rows: readonly SeenRow[], before: number, after: number) => {
    const fresh = new Set(rows.filter(({ row }) => row.t > before));
    for (const seen of fresh) (seen.record.stream === IMPRESSIONS ? impressions : clicks).push(seen);
    const pairs: Pair[] = [];
    for (const impression of impressions) {
      const isFresh = fresh.has(impression);
      for (const click of clicks) {
        if ((!isFresh && !fresh.has(click)) || !isPair(impression, click)) continue;
        answered.add(impression);
        pairs.push({ impression, click });
      }
      if (!outer || answered.has(impression) || impression.row.t + JOIN_WAIT > after) continue;
      answered.add(impression);
      pairs.push({ impression, click: null });
    }
    return { pairs, late: rows.filter((seen) => !fresh.has(seen)) };
  };
}

export const innerJoin = join("inner");
export const leftOuterJoin = join("leftOuter");
