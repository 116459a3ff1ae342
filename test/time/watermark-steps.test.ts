import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { highestBy, MAX_STEPS, mergeSteps, type WatermarkStep } from "../../lib/time/watermark-steps.js";

const NEVER = Number.NEGATIVE_INFINITY;
const step = (arrival: number, maxEventTime: number): WatermarkStep => ({ arrival, maxEventTime });
const steps = fc.array(
  fc.record({ arrival: fc.integer({ min: 0, max: 500 }), maxEventTime: fc.integer({ min: 0, max: 500 }) }),
  { maxLength: 120 },
);

const trueHighest = (all: readonly WatermarkStep[], horizon: number): number | null =>
  all
    .filter(({ arrival }) => arrival <= horizon)
    .reduce<number | null>((max, s) => Math.max(max ?? s.maxEventTime, s.maxEventTime), null);

describe("watermark steps", () => {
  it("keep the running maximum and drop what does not rise", () => {
    expect(mergeSteps([step(1, 10)], [step(2, 5), step(3, 20), step(3, 30)], NEVER)).toEqual([
      step(1, 10),
      step(3, 30),
    ]);
  });

  it("become one where no horizon can fall behind", () => {
    expect(mergeSteps([step(1, 10), step(2, 20)], [step(3, 30)], 2)).toEqual([step(2, 20), step(3, 30)]);
  });

  it("never speak of an event time before it arrived, and never lose the highest", () => {
    fc.assert(
      fc.property(steps, steps, fc.integer({ min: 0, max: 500 }), (first, second, horizon) => {
        const merged = mergeSteps(mergeSteps([], first, NEVER), second, NEVER);
        const all = [...first, ...second];
        const highest = highestBy(merged, horizon);
        const truth = trueHighest(all, horizon);
        if (highest !== null) expect(truth).not.toBeNull();
        expect(highest ?? NEVER).toBeLessThanOrEqual(truth ?? NEVER);
        expect(highestBy(merged, 500)).toBe(trueHighest(all, 500));
        expect(merged.length).toBeLessThanOrEqual(MAX_STEPS);
      }),
    );
  });

  it("are exact while they fit", () => {
    const few = fc.array(
      fc.record({ arrival: fc.integer({ min: 0, max: 30 }), maxEventTime: fc.integer({ min: 0, max: 30 }) }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(few, fc.integer({ min: 0, max: 30 }), (all, horizon) => {
        expect(highestBy(mergeSteps([], all, NEVER), horizon)).toBe(trueHighest(all, horizon));
      }),
    );
  });
});
