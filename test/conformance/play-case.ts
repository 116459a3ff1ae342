import { TidemarkError, userError } from "../../lib/errors.js";
import type { DrivenCase, DrivenError, DrivenStep } from "./driver.js";
import { type GoldenBatch, type GoldenCase, type GoldenStep, SCRIPTED } from "./golden-case.js";

/** A case's query, started. */
export interface CaseRun {
  /** Adds what the step did to `batches`, also before it fails. */
  step(step: GoldenStep, batches: GoldenBatch[]): void | Promise<void>;
}

/** What a sink throws where the script says so. */
export const scriptedFailure = (): TidemarkError => userError(SCRIPTED, "The script makes the sink fail.", "Restart.");

/** Plays the steps that Spark ran, to the first failure that no script asked for. */
export async function playCase(golden: GoldenCase, start: () => CaseRun | Promise<CaseRun>): Promise<DrivenCase> {
  const steps: DrivenStep[] = [];
  let run: CaseRun;
  try {
    run = await start();
  } catch (error) {
    return { refused: describe(error, "start"), steps };
  }
  for (const step of golden.steps) {
    if (step.expect === undefined) break;
    const driven: DrivenStep = { batches: [] };
    steps.push(driven);
    try {
      await run.step(step, driven.batches);
    } catch (error) {
      driven.error = describe(error, "runtime");
      if (driven.error.code !== SCRIPTED) break;
    }
  }
  return { steps };
}

function describe(error: unknown, phase: DrivenError["phase"]): DrivenError {
  if (error instanceof TidemarkError) return { phase, code: error.code, message: error.message };
  throw error;
}
