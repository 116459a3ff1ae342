import type { Clock } from "./clock.js";
import type { StepDurations } from "./progress.js";

type Step = Exclude<keyof StepDurations, "addBatch" | "triggerExecution">;

/** Adds what passed since the last lap to a step; a step that is repeated after a lost race counts all its turns. */
export interface Stopwatch {
  /** Epoch ms. */
  readonly startedAt: number;
  lap(step: Step): void;
  durations(): StepDurations;
}

export function stopwatch(clock: Clock): Stopwatch {
  const start = clock.now();
  let last = start;
  const steps: Partial<Record<Step, number>> = {};
  return {
    startedAt: start,
    lap: (step) => {
      const now = clock.now();
      steps[step] = (steps[step] ?? 0) + Math.max(0, now - last);
      last = now;
    },
    durations: () => {
      const { run = 0, stage = 0 } = steps;
      const addBatch = run + stage;
      return { decode: 0, load: 0, ...steps, run, stage, addBatch, triggerExecution: Math.max(0, last - start) };
    },
  };
}
