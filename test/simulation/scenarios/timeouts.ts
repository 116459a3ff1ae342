import { columns, long, string, timestamp } from "../../../lib/api/columns.js";
import type { GroupState } from "../../../lib/api/stateful.js";
import { isPoison } from "../stream.js";
import { written } from "./query-of.js";
import type { Model, Scenario } from "./scenario.js";
import { STREAM, streamOf, timeOf } from "./stream-of.js";

const SILENCE = 5_000;

interface Visit {
  readonly n: number;
  readonly ids: number;
  readonly last: number;
}

/** One state per key that is told when its timeout passes; its function throws with rows of several records in hand. */
export const timeouts: Scenario = {
  name: "timeouts",
  watermarks: [{ streams: [STREAM], delayMs: 8_000 }],
  key: ["k"],
  poison: { onError: "malformed", reaches: ({ t }, before) => t > before },
  definition: (options) =>
    streamOf(options)
      .withWatermark("t", "8 seconds")
      .groupBy("k")
      .flatMapGroupsWithState(
        function* (key, rows, state: GroupState<Visit>) {
          let { n, ids, last } = state.getOption() ?? { n: 0, ids: 0, last: 0 };
          if (state.hasTimedOut) {
            state.remove();
            yield { ...key, n, ids, t: last };
            return;
          }
          for (const row of rows) {
            n++;
            ids += Number(row.id);
            last = Math.max(last, row.t!);
          }
          state.update({ n, ids, last });
          state.setTimeoutTimestamp(last + SILENCE);
          if (options.broken && rows.some(isPoison)) throw new Error("poison");
        },
        { timeMode: "eventTime", columns: columns({ k: string(), n: long(), ids: long(), t: timestamp() }) },
      )
      .writeStream(written(options, "append", "malformed")).definition,
  model,
  describe: ({ k, n, ids, t }) => `${k} ${n} ${ids} ${timeOf(t)}`,
};

function model(): Model {
  const visits = new Map<string, Visit>();
  return {
    batch(rows, before, after) {
      for (const { row } of rows) {
        if (row.t <= before) continue;
        const { n, ids, last } = visits.get(row.k) ?? { n: 0, ids: 0, last: 0 };
        visits.set(row.k, { n: n + 1, ids: ids + row.id, last: Math.max(last, row.t) });
      }
      const result: string[] = [];
      for (const [k, { n, ids, last }] of visits) {
        if (last + SILENCE >= after) continue;
        result.push(`${k} ${n} ${ids} ${last}`);
        visits.delete(k);
      }
      return { result, late: rows.filter(({ row }) => row.t <= before).map(({ record }) => record) };
    },
  };
}
