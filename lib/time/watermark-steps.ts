import type { EventTime } from "./event-time.js";

/** A running maximum as it grew: highest event time among records that arrived up to `arrival`. At most 32, ascending. */
export interface WatermarkStep {
  readonly arrival: number;
  readonly maxEventTime: EventTime;
}

export const MAX_STEPS = 32;

/** The highest event time known to have arrived by `horizon`, or null. Reads only steps wholly at or before it. */
export function highestBy(steps: readonly WatermarkStep[], horizon: number): EventTime | null {
  let highest: EventTime | null = null;
  for (const step of steps) {
    if (step.arrival > horizon) break;
    highest = step.maxEventTime;
  }
  return highest;
}

/**
 * Adds what was seen later. Three laws: a step never speaks of an event time before it arrived (two steps merge towards the
 * later arrival, so a watermark may wait for it and never runs ahead of it); the highest event time is never lost; steps
 * seen before add nothing. Steps at or before `settled`, which no horizon can fall behind any more, become one.
 * @param most how many may remain
 */
export function mergeSteps(
  known: readonly WatermarkStep[],
  seen: readonly WatermarkStep[],
  settled: number,
  most = MAX_STEPS,
): readonly WatermarkStep[] {
  const merged: WatermarkStep[] = [];
  for (const step of [...known, ...seen].sort((a, b) => a.arrival - b.arrival || a.maxEventTime - b.maxEventTime)) {
    const last = merged.at(-1);
    if (last !== undefined && step.maxEventTime <= last.maxEventTime) continue;
    if (last !== undefined && (last.arrival === step.arrival || step.arrival <= settled)) merged.pop();
    merged.push(step);
  }
  while (merged.length > most) merged.splice(narrowestStep(merged), 1);
  return merged;
}

/** Dropping a step moves its rise to the next one; the closest pair delays the watermark least. */
function narrowestStep(steps: readonly WatermarkStep[]): number {
  let narrowest = 0;
  let gap = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 1 < steps.length; i++) {
    const wait = steps[i + 1]!.arrival - steps[i]!.arrival;
    if (wait < gap) {
      gap = wait;
      narrowest = i;
    }
  }
  return narrowest;
}
