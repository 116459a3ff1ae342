import { describe, expect, it } from "vitest";
import { aggregator } from "../../lib/operators/aggregates/aggregator.js";
import { deduplicate } from "../../lib/operators/deduplicate.js";
import { keyColumns } from "../../lib/operators/key-columns.js";
import { windowAggregate } from "../../lib/operators/window-aggregate.js";
import type { Row, Schema } from "../../lib/plan/schema.js";
import { type BatchOutcome, operatorStream } from "../operators/operator-stream.js";

/** Faults of other engines' deduplication, restated as small inputs. Times are seconds. */
const INPUT: Schema = {
  fields: [
    { name: "id", type: "string", nullable: true },
    { name: "ts", type: "timestamp", nullable: true },
  ],
};
const [ID, TS] = INPUT.fields;
const EVENT_TIME = { name: "ts", type: "timestamp" } as const;

const timeOf = (row: Row) => row["ts"] as number;
const at = (...rows: [id: string, second: number][]): Row[] => rows.map(([id, second]) => ({ id, ts: second * 1000 }));
const ids = ({ output }: BatchOutcome) => output.map((row) => row["id"]);

describe("trial 40: expiry within the watermark", () => {
  it("is that of the first row, and is held to the millisecond", () => {
    const delayMs = 2000;
    const rows = operatorStream(
      [deduplicate({ operatorId: "dedup", keys: keyColumns([ID!]), eventTime: EVENT_TIME, withinDelayMs: delayMs })],
      { delayMs, timeOf },
    );
    const total = (batch: BatchOutcome) => batch.last[0]!.metrics.numRowsTotal;
    const first = rows.add(at(["a", 17]));
    expect([ids(first), rows.watermark, total(first)]).toEqual([["a"], 15_000, 1]);
    const duplicate = rows.add(at(["a", 16]));
    expect([ids(duplicate), total(duplicate)]).toEqual([[], 1]);
    const late = rows.add(at(["a", 13]));
    expect([ids(late), total(late), late.data[0]!.metrics.numRowsDroppedByWatermark]).toEqual([[], 1, 1]);
    const evicting = rows.add(at(["b", 22], ["c", 21]));
    expect([ids(evicting), rows.watermark, total(evicting)]).toEqual([["b", "c"], 20_000, 2]);
    const again = rows.add(at(["a", 21]));
    expect([ids(again), total(again)]).toEqual([["a"], 3]);
    const last = rows.add(at(["d", 25]));
    expect([ids(last), rows.watermark, total(last)]).toEqual([["d"], 23_000, 2]);
  });
});

describe("trial 41: the time column is not among the keys", () => {
  // SPARK-21546
  it("deduplicates all the same, and never forgets", () => {
    const rows = operatorStream(
      [deduplicate({ operatorId: "dedup", keys: keyColumns([ID!]), eventTime: EVENT_TIME, withinDelayMs: null })],
      { delayMs: 1000, timeOf },
    );
    expect(rows.add(at(["1", 1], ["1", 2], ["2", 2])).output).toEqual(at(["1", 1], ["2", 2]));
    expect(rows.add(at(["3", 1000])).last[0]!.metrics.numRowsTotal).toBe(3);
    expect(rows.add(at(["1", 1001])).output).toEqual([]);
  });
});

describe("trial 43: deduplication before an aggregation", () => {
  it("counts each row once and calls a row late once", () => {
    const rows = operatorStream(
      [
        deduplicate({ operatorId: "dedup", keys: keyColumns([TS!]), eventTime: EVENT_TIME, withinDelayMs: null }),
        windowAggregate({
          operatorId: "windows",
          column: EVENT_TIME,
          watermarked: true,
          size: 5e6,
          slide: 5e6,
          offset: 0,
          as: "window",
          keys: keyColumns([]),
          aggregates: aggregator([{ as: "n", fn: "count", type: "long" }], INPUT),
          outputMode: "append",
          lateRule: "state",
        }),
      ],
      { delayMs: 10_000, timeOf },
    );
    const windows = ({ output }: BatchOutcome) =>
      output.map((row) => [(row["window"] as { start: number }).start / 1000, row["n"]]);
    const totals = ({ last }: BatchOutcome) => last.map(({ metrics }) => metrics.numRowsTotal);
    const seconds = [10, 11, 12, 13, 14, 15];
    const first = rows.add(
      at(...Array.from({ length: 5 }, () => seconds.map((s): [string, number] => ["x", s])).flat()),
    );
    expect([windows(first), totals(first)]).toEqual([[], [6, 2]]);
    const closing = rows.add(at(["x", 25]));
    expect(windows(closing)).toEqual([[10, 5]]);
    const late = rows.add(at(["x", 10]));
    expect(late.data.map(({ metrics }) => metrics.numRowsDroppedByWatermark)).toEqual([1, 0]);
    expect(windows(late)).toEqual([]);
    expect(windows(rows.add(at(["x", 40])))).toEqual([
      [15, 1],
      [25, 1],
    ]);
  });
});

describe("trial 44: distinct records with one payload", () => {
  it("are two rows to everything but a deduplication that was asked for", () => {
    const aggregates = aggregator([{ as: "n", fn: "count", type: "long" }], INPUT);
    const window = { size: 10e6, slide: 10e6, offset: 0, as: "window", watermarked: true } as const;
    const rows = operatorStream(
      [
        windowAggregate({
          ...window,
          operatorId: "windows",
          column: EVENT_TIME,
          keys: keyColumns([ID!]),
          aggregates,
          outputMode: "update",
          lateRule: "state",
        }),
      ],
      { delayMs: 0, timeOf },
    );
    expect(rows.add(at(["a", 5], ["a", 5])).output).toMatchObject([{ id: "a", n: 2 }]);
  });
});
