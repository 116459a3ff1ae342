import { columns, long, string, timestamp } from "../../../lib/api/columns.js";
import type { ExpiredTimerInfo, MapState, StatefulProcessorHandle, TimerValues } from "../../../lib/api/stateful.js";
import { isPoison } from "../stream.js";
import { written } from "./query-of.js";
import type { Model, Scenario, SeenRow } from "./scenario.js";
import { STREAM, streamOf, timeOf } from "./stream-of.js";

const WAIT = 5_000;

interface Key {
  readonly k: string | null;
}

interface InRow extends Key {
  readonly id: number | bigint | null;
  readonly t: number | null;
}

interface Count {
  readonly n: number;
  readonly ids: number;
}

/** A map and a timer per key and event time: five seconds later it tells all that came of that time. */
class Tell {
  private timers!: StatefulProcessorHandle;
  private seen!: MapState<number, Count>;

  constructor(private readonly broken: boolean) {}

  init(handle: StatefulProcessorHandle): void {
    this.timers = handle;
    this.seen = handle.getMapState("seen");
  }

  handleInputRows(_key: Key, rows: readonly InRow[]) {
    for (const row of rows) {
      const t = row.t!;
      const { n, ids } = this.seen.getValue(t) ?? { n: 0, ids: 0 };
      this.seen.updateValue(t, { n: n + 1, ids: ids + Number(row.id) });
      this.timers.registerTimer(t + WAIT);
      if (this.broken && isPoison(row)) throw new Error("poison");
    }
    return [];
  }

  handleExpiredTimer(key: Key, _values: TimerValues, expired: ExpiredTimerInfo) {
    const t = expired.getExpiryTimeInMs() - WAIT;
    const { n, ids } = this.seen.getValue(t)!;
    this.seen.removeKey(t);
    return [{ ...key, t, n, ids }];
  }
}

/** Its processor throws with half a map written, and the batch stops there. */
export const timers: Scenario = {
  name: "timers",
  watermarks: [{ streams: [STREAM], delayMs: 8_000 }],
  key: ["k", "t"],
  poison: { onError: "fail", reaches: ({ t }, before) => t > before },
  definition: (options) =>
    streamOf(options)
      .withWatermark("t", "8 seconds")
      .groupBy("k")
      .transformWithState(() => new Tell(options.broken), {
        timeMode: "eventTime",
        columns: columns({ k: string(), t: timestamp(), n: long(), ids: long() }),
      })
      .writeStream(written(options, "append", "fail")).definition,
  model,
  describe: ({ k, t, n, ids }) => `${k} ${timeOf(t)} ${n} ${ids}`,
};

function model(): Model {
  let kept: SeenRow[] = [];
  return {
    batch(rows, before, after) {
      kept.push(...rows.filter(({ row }) => row.t > before));
      const told = new Map<string, number[]>();
      for (const { row } of kept)
        if (row.t + WAIT <= after) {
          const place = `${row.k} ${row.t}`;
          told.set(place, [...(told.get(place) ?? []), row.id]);
        }
      kept = kept.filter(({ row }) => row.t + WAIT > after);
      return {
        result: [...told].map(([place, ids]) => `${place} ${ids.length} ${ids.reduce((sum, id) => sum + id)}`),
        late: rows.filter(({ row }) => row.t <= before).map(({ record }) => record),
      };
    },
  };
}
