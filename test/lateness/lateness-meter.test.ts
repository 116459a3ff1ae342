import { describe, expect, it } from "vitest";
import { latenessMeter } from "../../lib/lateness/lateness-meter.js";

const MINUTE = 60_000;
const HOURLY = { size: 3_600_000_000, slide: 3_600_000_000, offset: 0 };
const at = (minutes: number) => minutes * MINUTE;

describe("latenessMeter", () => {
  it("measures what the watermark sees, and arrival less event time beside it", () => {
    const meter = latenessMeter();
    // The second row comes 5 minutes before its own time, and makes the third one 15 minutes late that came after 5.
    for (const [time, arrival] of [
      [0, 1],
      [30, 25],
      [15, 20],
    ] as const)
      meter.add(at(time), at(arrival));
    const { rows, quantiles, arrivalQuantiles } = meter.report();
    expect(rows).toBe(3);
    expect(quantiles).toEqual({ p50: 0, p90: at(15), p95: at(15), p99: at(15), p999: at(15), max: at(15) });
    expect(arrivalQuantiles).toMatchObject({ p50: at(1), max: at(5) });
  });

  it("judges a row by the batches before its own", () => {
    const one = latenessMeter({ delays: [at(10)] });
    const two = latenessMeter({ delays: [at(10)] });
    one.add(at(60));
    one.add(at(0));
    two.add(at(60));
    two.endBatch();
    two.add(at(0));
    const lateRows = (meter: typeof one) => meter.report().candidates.find(({ delay }) => delay === at(10))?.lateRows;
    expect([lateRows(one), lateRows(two)]).toEqual([0, 1]);
    expect(two.report()).toMatchObject({ batches: 2, rows: 2 });
  });

  it("keeps a row while one of its windows is open, and counts the groups and state rows of a delay", () => {
    const meter = latenessMeter({ window: HOURLY, delays: [0, at(30), at(31)] });
    meter.add(at(10), null, "a");
    meter.endBatch();
    meter.add(at(90), null, "a");
    meter.endBatch();
    // The window to 60 is closed at 90 unless the delay is more than 30 minutes.
    meter.add(at(20), null, "a");
    meter.add(at(20), null, "b");
    const candidates = meter.report().candidates.filter(({ delay }) => [0, at(30), at(31)].includes(delay));
    expect(candidates).toEqual([
      { delay: 0, lateRows: 2, lateShare: 0.5, lateGroups: 2, peakStateRows: 1, latency: at(60) },
      { delay: at(30), lateRows: 2, lateShare: 0.5, lateGroups: 2, peakStateRows: 1, latency: at(90) },
      { delay: at(31), lateRows: 0, lateShare: 0, lateGroups: 0, peakStateRows: 3, latency: at(91) },
    ]);
  });

  it("recommends the smallest delay that keeps the share, in whole minutes", () => {
    const meter = latenessMeter({ keep: 0.9 });
    meter.add(at(100));
    meter.endBatch();
    for (let minute = 0; minute < 10; minute++) meter.add(at(minute * 10));
    // Of eleven rows one may be late: the one that is 100 minutes behind. The next is 90 behind, and late at 90.
    expect(meter.report()).toMatchObject({ recommended: at(91), keep: 0.9 });
    expect(latenessMeter().report()).toMatchObject({ rows: 0, quantiles: null, recommended: null });
  });

  it("knows the stricter late rule, under which an open window does not help", () => {
    const rows = (lateRule: "state" | "event-time") => {
      const meter = latenessMeter({ window: HOURLY, lateRule, delays: [at(5)] });
      meter.add(at(30));
      meter.endBatch();
      meter.add(at(24));
      return meter.report().candidates.find(({ delay }) => delay === at(5))?.lateRows;
    };
    expect([rows("state"), rows("event-time")]).toEqual([0, 1]);
  });
});
