import { describe, expect, it } from "vitest";
import { columns, count, memory, readStream, sum, timestamp, window } from "../../lib/index.js";
import { engine, seconds, send } from "../runtime/support/engine.js";

/** TRIALS.md F56, F58: an aggregation over the result of another. Times are seconds. */
const chained = readStream(memory({ name: "input", schema: columns({ t: timestamp() }) }))
  .withWatermark("t", "0 seconds")
  .groupBy(window("t", "5 seconds", { as: "five" }))
  .agg({ n: count() })
  .groupBy(window("five", "10 seconds", { as: "ten" }))
  .agg({ windows: count(), rows: sum("n") })
  .writeStream({ queryName: "trial", outputMode: "append", sink: memory() }).definition;

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ t: seconds(from + at) }));

describe("F56: an aggregation over an aggregation", () => {
  it("takes nothing for late that the first one has held", async () => {
    const e = engine(chained);
    const query = await e.start();
    const outputs: unknown[] = [];
    const play = async (first: number, rows: readonly { t: string }[]) => {
      const before = e.sink.rows().length;
      await query.processBatch([send(first, rows)]);
      outputs.push(
        e.sink
          .rows()
          .slice(before)
          .map(({ ten, windows, rows: n }) => [(ten as { start: number }).start / 1000, windows, n]),
      );
    };
    await play(1, range(10, 21));
    await play(13, range(10, 29));
    expect(e.progress.at(-1)!.stateOperators.map(({ numRowsDroppedByWatermark }) => numRowsDroppedByWatermark)).toEqual(
      [0, 2],
    );
    await play(33, range(30, 31));
    expect(outputs).toEqual([[[10, 2, 10]], [], [[20, 2, 12]]]);
  });
});

describe("F58: the time of a window's result", () => {
  it("is its last instant, so that a window twice as long holds both its halves", async () => {
    const e = engine(chained);
    await (await e.start()).processBatch([send(1, [...range(0, 9), ...range(20, 20)])]);
    expect(e.sink.rows()).toEqual([{ ten: { start: 0, end: 10_000 }, windows: 2, rows: 10 }]);
    expect(e.sink.rows("late")).toEqual([]);
  });
});
