import { describe, expect, it } from "vitest";
import { ValueVector } from "../../lib/columns/value-vector.js";
import { type WatermarkObserver, watermarkObserver } from "../../lib/planner/watermark-observer.js";
import { MAX_STEPS } from "../../lib/time/watermark-steps.js";

const feed = (shard: string, arrivals: readonly number[] | null = null, maxFutureSkewMs: number | null = null) => ({
  source: 0,
  shard,
  arrivals,
  maxFutureSkewMs,
});
const observe = (observer: WatermarkObserver, time: number | null, record: number) =>
  observer.observe(new ValueVector([time]), Int32Array.of(0), { source: 0, record: () => record });

describe("watermarkObserver", () => {
  it("keeps the highest event time per shard", () => {
    const observer = watermarkObserver();
    observer.beginPass();
    observer.feed(feed("a"));
    for (const time of [5, 9, 7]) observe(observer, time, 0);
    observer.feed(feed("b"));
    observe(observer, 3, 1);
    observer.feed(feed("a"));
    observe(observer, 8, 2);
    expect(observer.observations(4)).toEqual([
      { node: 4, source: 0, shard: "a", maxEventTime: 9, steps: [] },
      { node: 4, source: 0, shard: "b", maxEventTime: 3, steps: [] },
    ]);
  });

  it("records when the highest time grew, by arrival, in at most 32 steps that lose none of it", () => {
    const observer = watermarkObserver();
    const arrivals = Array.from({ length: 500 }, (_, i) => 1000 + i);
    observer.beginPass();
    observer.feed(feed("a", arrivals));
    arrivals.forEach((_, i) => void observe(observer, i, i));
    const steps = observer.observations(0)[0]!.steps;
    expect(steps.length).toBeLessThanOrEqual(MAX_STEPS);
    expect(steps.at(-1)).toEqual({ arrival: 1499, maxEventTime: 499 });
    for (const { arrival, maxEventTime } of steps) expect(arrival).toBeGreaterThanOrEqual(1000 + maxEventTime);
  });

  it("ignores a row stamped too far ahead of its arrival, and counts it", () => {
    const observer = watermarkObserver();
    observer.beginPass();
    observer.feed(feed("a", [100, 100], 50));
    observe(observer, 150, 0);
    observe(observer, 151, 1);
    expect(observer.ignored).toBe(1);
    expect(observer.observations(0)).toMatchObject([{ maxEventTime: 150 }]);
    expect(observer.stats()).toMatchObject({ max: 151, count: 2 });
  });

  it("takes whole milliseconds into its statistics, and no NULL", () => {
    const observer = watermarkObserver();
    observer.beginPass();
    observer.feed(feed("a"));
    for (const time of [1.999, null, -0.5]) observe(observer, time, 0);
    expect(observer.stats()).toEqual({ max: 1, min: -1, avg: 0, count: 2 });
    observer.beginPass();
    expect(observer.stats()).toBeNull();
    expect(observer.observations(0)).toEqual([]);
  });
});
