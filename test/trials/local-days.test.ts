import { describe, expect, it } from "vitest";
import { col, columns, count, memory, readStream, string, timestamp, window, windowOf } from "../../lib/index.js";
import { addData, checkNewAnswer, checkNewLate, restart, testStream } from "../../lib/testing.js";

const schema = columns({ at: timestamp(), page: string() });
const views = readStream(memory({ name: "views", schema })).withWatermark("at", "1 hour");
const write = { queryName: "days", outputMode: "append", sink: memory() } as const;
const day = { timeZone: "Europe/Berlin" };
const daily = views
  .groupBy(window("at", "1 day", day))
  .agg({ views: count() })
  .writeStream(write);

describe("TRIALS-2 C14: days of Berlin", () => {
  it("counts the 23 hours of 31 March 2024, closes the day at its midnight, and says which one a late row missed", () =>
    testStream(daily, [
      addData([
        { at: "2024-03-30T22:59:59.999Z", page: "before" },
        { at: "2024-03-30T23:00:00Z", page: "first" },
        { at: "2024-03-31T21:59:59.999Z", page: "last" },
      ]),
      addData([{ at: "2024-03-31T22:59:59.999Z", page: "after" }]),
      checkNewAnswer([{ window: { start: "2024-03-29T23:00:00Z", end: "2024-03-30T23:00:00Z" }, views: 1 }]),
      addData([{ at: "2024-03-31T23:00:00Z", page: "after" }]),
      checkNewAnswer([{ window: { start: "2024-03-30T23:00:00Z", end: "2024-03-31T22:00:00Z" }, views: 2 }]),
      restart(),
      addData([{ at: "2024-03-31T21:00:00Z", page: "late" }]),
      checkNewLate([
        {
          row: { at: "2024-03-31T21:00:00Z", page: "late" },
          missedWindows: [{ start: "2024-03-30T23:00:00Z", end: "2024-03-31T22:00:00Z" }],
        },
      ]),
    ]));

  it("gives the same days to windowOf, whose window carries the watermark on", () => {
    const byWindow = views
      .withColumn("window", windowOf(col("at"), "1 day", day))
      .groupBy("window")
      .agg({ views: count() })
      .writeStream({ ...write, queryName: "by-window" });
    return testStream(byWindow, [
      addData([
        { at: "2024-10-26T22:00:00Z", page: "first" },
        { at: "2024-10-27T22:59:59Z", page: "last" },
      ]),
      addData([{ at: "2024-10-28T00:00:00Z", page: "after" }]),
      checkNewAnswer([{ window: { start: "2024-10-26T22:00:00Z", end: "2024-10-27T23:00:00Z" }, views: 2 }]),
    ]);
  });

  it("refuses what does not begin with a day there", () => {
    for (const [size, options] of [
      ["6 hours", day],
      ["1 month 1 day", day],
      ["1 day", { ...day, slide: "12 hours" }],
      ["1 day", { ...day, offset: "6 hours" }],
      ["-1 days", day],
    ] as const)
      expect(() => window("at", size, options)).toThrow("[window-time-zone]");
    expect(() => window("at", "1 day", { timeZone: "Europe/Atlantis" })).toThrow("[time-zone]");
  });

  it("explains the window by its calendar", () => {
    expect(daily.explain()).toContain("window = window(at, 1 day in Europe/Berlin)");
    const monthly = views.groupBy(window("at", "1 month", day)).agg({ views: count() });
    expect(monthly.writeStream({ ...write, queryName: "months" }).explain()).toContain("1 month in Europe/Berlin");
  });
});
