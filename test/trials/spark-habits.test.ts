import { describe, expect, it } from "vitest";
import { columns, double, memory, readStream, timestamp, window } from "../../lib/index.js";
import { engine, seconds, send } from "../runtime/support/engine.js";

/** TRIALS-2 D8: what somebody types who comes from Spark, without a compiler that would tell. */
const readings = readStream(
  memory({ name: "input", schema: columns({ t: timestamp(), temp: double() }) }),
).withWatermark("t", "0 seconds");
const write = { queryName: "habits", outputMode: "append", sink: memory() } as const;

describe("D8: a habit of Spark's", () => {
  it("count() after groupBy just works", async () => {
    const e = engine(readings.groupBy(window("t", "10 seconds")).count().writeStream(write).definition);
    const query = await e.start();
    await query.processBatch([
      send(1, [
        { t: seconds(1), temp: 1 },
        { t: seconds(2), temp: 2 },
      ]),
    ]);
    await query.drain();
    expect(e.sink.rows()).toMatchObject([{ count: 2 }]);
  });

  it("SQL text in filter() is answered with an expression and a function", () => {
    expect(() => readings.filter("temp > 20" as never)).toThrow(
      /\[not-a-condition\] filter\("temp > 20"\) holds SQL text.*col\("temp"\)\.gt\(20\)/,
    );
  });

  it("a name in agg() is answered with the call", () => {
    const grouped = readings.groupBy(window("t", "10 seconds"));
    expect(() => grouped.agg({ n: "count" } as never)).toThrow(/aggregate 'n' cannot be "count".*agg\(\{ n: count\(/);
    expect(() => grouped.agg({ n: undefined } as never)).toThrow(/aggregate 'n' cannot be undefined.*count\(\)/);
  });

  it("a query without a name is told so", () => {
    expect(() => readings.writeStream({ ...write, queryName: undefined as never })).toThrow(
      /\[query-name\] The query has no queryName/,
    );
  });
});
