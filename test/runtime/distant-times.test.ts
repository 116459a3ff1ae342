import { describe, expect, it } from "vitest";
import { columns, count, json, memory, readStream, string, timestamp, window } from "../../lib/index.js";
import { engine, send } from "./support/engine.js";

/** Times whose microseconds are no safe integers: the years before 1684 and after 2255. */
const DISTANT = [
  "0001-01-01T00:00:00Z",
  "0001-01-01T00:00:00.001Z",
  "1683-12-31T23:59:59.999Z",
  "2256-06-05T23:47:34.741Z",
  "4253-05-31T22:20:37.927Z",
  "9999-12-31T23:59:59.998Z",
  "9999-12-31T23:59:59.999Z",
];
const rows = (...times: string[]) => times.map((t) => ({ t, k: t }));
const input = () => readStream(memory({ name: "input", schema: columns({ t: timestamp(), k: string() }) }));
const start = (text: string, seconds: number) => Math.floor(Date.parse(text) / (seconds * 1000)) * seconds * 1000;

describe("distant times", () => {
  it("keep their millisecond and their window through state, snapshots and cold starts", async () => {
    const counted = input()
      .withWatermark("t", "0 seconds")
      .groupBy(window("t", "1 second"), "k")
      .agg({ n: count() })
      .writeStream({ queryName: "distant", outputMode: "append", sink: memory() }).definition;
    const e = engine(counted, { ringSize: 4 });
    for (const [at, row] of rows(...DISTANT).entries()) {
      await (await e.start()).processBatch([send(at + 1, [row])]);
    }
    // Batches without an advance, so that what is open goes through snapshots.
    for (let again = 0; again < 8; again++) {
      await (await e.start()).processBatch([send(100 + again, rows("9999-12-31T23:59:59.999Z"))]);
    }
    await (await e.start()).drain();
    const found = e.sink.rows().map((row) => {
      const { start: from, end } = row["window"] as { start: number; end: number };
      return { k: row["k"] as string, from, end, n: row["n"] };
    });
    const expected = [...DISTANT].sort().map((k) => ({
      k,
      from: start(k, 1),
      end: start(k, 1) + 1000,
      n: k.endsWith("59.999Z") && k.startsWith("9") ? 9 : 1,
    }));
    expect(found.sort((a, b) => (a.k < b.k ? -1 : 1))).toEqual(expected);
    expect(e.sink.rows("malformed")).toEqual([]);
  });

  it("are told apart by deduplication, and by the watermark, to the millisecond", async () => {
    const distinct = input()
      .withWatermark("t", "1 millisecond")
      .dropDuplicates(["t"])
      .writeStream({ queryName: "distinct", outputMode: "append", sink: memory() }).definition;
    const e = engine(distinct);
    const query = await e.start();
    await query.processBatch([send(1, rows(DISTANT[5]!, DISTANT[6]!, DISTANT[5]!))]);
    await (await e.start()).processBatch([send(4, rows(DISTANT[6]!, DISTANT[5]!))]);
    expect(e.sink.rows().map(({ k }) => k)).toEqual([DISTANT[5], DISTANT[6]]);
    expect(e.sink.rows().map(({ t }) => t)).toEqual([253_402_300_799_998, 253_402_300_799_999]);
    expect(e.sink.rows("late")).toHaveLength(1);
  });

  it("of a json column that lie beyond the calendar are no times: their rows are malformed, and push no watermark", async () => {
    const counted = readStream(memory({ name: "input", schema: columns({ t: json(), k: string() }) }))
      .withWatermark("t", "0 seconds")
      .groupBy(window("t", "10 seconds", { slide: "3 seconds" }), "k")
      .agg({ n: count() })
      .writeStream({ queryName: "beyond", outputMode: "append", sink: memory() }).definition;
    const e = engine(counted);
    const query = await e.start();
    await query.processBatch([
      send(1, [
        { t: 1e300, k: "a" },
        { t: 8.64e15, k: "a" },
        { t: -1e300, k: "a" },
        { t: 5_000, k: "a" },
      ]),
    ]);
    await query.processBatch([send(5, [{ t: 6_000, k: "b" }])]);
    await (await e.start()).drain();
    expect(e.sink.rows("malformed").map(({ reason }) => reason)).toEqual(Array(3).fill("no-event-time"));
    expect(e.sink.rows("late")).toEqual([]);
    expect(e.sink.rows().filter(({ k }) => k === "b")).not.toEqual([]);
  });
});
