import { count, sum } from "../../../lib/api/aggregates.js";
import { sessionWindow } from "../../../lib/api/window-functions.js";
import { written } from "./query-of.js";
import type { Scenario, SeenRow } from "./scenario.js";
import { STREAM, streamOf, timeOf } from "./stream-of.js";

const GAP = 4_000;

/** Rows of a key that are at most a gap apart are one session. */
export const sessions: Scenario = {
  name: "sessions",
  watermarks: [{ streams: [STREAM], delayMs: 8_000 }],
  key: ["session_window", "k"],
  definition: (options) =>
    streamOf(options)
      .withWatermark("t", "8 seconds")
      .groupBy(sessionWindow("t", "4 seconds"), "k")
      .agg({ n: count(), ids: sum("id") })
      .writeStream(written(options, "append")).definition,
  model() {
    let kept: SeenRow[] = [];
    return {
      batch(rows, before, after) {
        const late = rows.filter(({ row }) => row.t + GAP <= before);
        kept.push(...rows.filter(({ row }) => row.t + GAP > before));
        const result: string[] = [];
        const open: SeenRow[] = [];
        for (const session of sessionsOf(kept)) {
          const end = session.at(-1)!.row.t + GAP;
          if (end > after) open.push(...session);
          else {
            const { t, k } = session[0]!.row;
            result.push(`${t} ${end} ${k} ${session.length} ${session.reduce((ids, { row }) => ids + row.id, 0)}`);
          }
        }
        kept = open;
        return { result, late: late.map(({ record }) => record) };
      },
    };
  },
  describe: (row) => {
    const {
      session_window: w,
      k,
      n,
      ids,
    } = row as {
      session_window: { start: string; end: string };
      k: string;
      n: number;
      ids: number;
    };
    return `${timeOf(w.start)} ${timeOf(w.end)} ${k} ${n} ${ids}`;
  },
};

function sessionsOf(rows: readonly SeenRow[]): SeenRow[][] {
  const sessions: SeenRow[][] = [];
  for (const k of new Set(rows.map(({ row }) => row.k))) {
    const ordered = rows.filter(({ row }) => row.k === k).sort((a, b) => a.row.t - b.row.t);
    for (const [at, seen] of ordered.entries()) {
      if (at > 0 && seen.row.t - ordered[at - 1]!.row.t <= GAP) sessions.at(-1)!.push(seen);
      else sessions.push([seen]);
    }
  }
  return sessions;
}
