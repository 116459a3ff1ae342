import { count, sum } from "../../../lib/api/aggregates.js";
import { window } from "../../../lib/api/window-functions.js";
import { JOIN_WAIT, joined, leftOuterJoin, pairing } from "./join.js";
import { written } from "./query-of.js";
import type { Model, Scenario } from "./scenario.js";
import { timeOf } from "./stream-of.js";

const SIZE = 10_000;

/** What a join gives is counted per window, which must wait for the impressions that the join still holds. */
export const joinCounts: Scenario = {
  ...leftOuterJoin,
  name: "join-counts",
  key: ["window", "k"],
  definition: (options) =>
    joined(options, "leftOuter")
      .groupBy(window("t", "10 seconds"), "k")
      .agg({ n: count(), ids: sum("id"), clicks: sum("click") })
      .writeStream(written(options, "append")).definition,
  model,
  describe: (row) => {
    const { window: w, k, n, ids, clicks } = row as Readonly<Record<string, unknown>> & { window: { start: unknown } };
    return `${timeOf(w.start)} ${k} ${n} ${ids} ${clicks ?? "none"}`;
  },
};

function model(): Model {
  const next = pairing(true);
  const groups = new Map<string, { end: number; n: number; ids: number; clicks: number | null }>();
  return {
    batch(rows, before, after) {
      const { pairs, late } = next(rows, before, after);
      for (const { impression, click } of pairs) {
        const { id, t, k } = impression.row;
        const end = Math.floor(t / SIZE) * SIZE + SIZE;
        const place = `${end - SIZE} ${k}`;
        const { n, ids, clicks } = groups.get(place) ?? { n: 0, ids: 0, clicks: null };
        const counted = click === null ? clicks : (clicks ?? 0) + click.row.id;
        groups.set(place, { end, n: n + 1, ids: ids + id, clicks: counted });
      }
      const result: string[] = [];
      for (const [place, { end, n, ids, clicks }] of groups) {
        if (end + JOIN_WAIT > after) continue;
        result.push(`${place} ${n} ${ids} ${clicks ?? "none"}`);
        groups.delete(place);
      }
      return { result, late: late.map(({ record }) => record) };
    },
  };
}
