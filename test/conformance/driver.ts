import type { GoldenBatch, GoldenCase } from "./golden-case.js";

/** What an engine did in one step. */
export interface DrivenStep {
  readonly batches: GoldenBatch[];
  error?: DrivenError;
}

export interface DrivenError {
  readonly phase: "start" | "runtime";
  /** `ScriptedSinkFailure`, or the code of our error. */
  readonly code: string;
  readonly message: string;
}

/** Step by step; an unscripted error ends it. A refusal at the start stands alone. */
export interface DrivenCase {
  readonly refused?: DrivenError;
  readonly steps: readonly DrivenStep[];
}

export interface Driver {
  run(golden: GoldenCase): Promise<DrivenCase>;
  /** Differences in words between the case's steps and what was driven. */
  compare(golden: GoldenCase, steps: readonly DrivenStep[]): readonly string[];
}
