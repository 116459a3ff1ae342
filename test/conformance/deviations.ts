import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { GoldenCase, GoldenError, StepResult } from "./golden-case.js";

/** A recording of a point of SEMANTICS section 0, with the right result, which is then what is checked. */
export interface Deviation {
  readonly point: string;
  /** One per step of the case. */
  readonly steps?: readonly StepResult[];
  readonly expect?: { readonly error: GoldenError };
  /** Spark refuses it, Tidemark runs it. */
  readonly accepted?: true;
}

/** Those of every driver, and those of `driver` alone, in a folder of its name. */
export function readDeviations(driver: string): ReadonlyMap<string, Deviation> {
  const deviations = new Map<string, Deviation>();
  for (const folder of ["./deviations/", `./deviations/${driver}/`]) {
    const directory = new URL(folder, import.meta.url);
    if (!existsSync(directory)) continue;
    for (const file of readdirSync(directory).sort()) {
      if (!file.endsWith(".json")) continue;
      const part = JSON.parse(readFileSync(new URL(file, directory), "utf8")) as Record<string, Deviation>;
      for (const [name, deviation] of Object.entries(part)) deviations.set(name, deviation);
    }
  }
  return deviations;
}

/** The case with the right expectations. */
export function corrected(golden: GoldenCase, deviation: Deviation | undefined): GoldenCase {
  if (deviation === undefined) return golden;
  const { expect: _, ...unrefused } = golden;
  return {
    ...(deviation.accepted ? unrefused : golden),
    ...(deviation.expect === undefined ? {} : { expect: deviation.expect }),
    steps: golden.steps.map((step, i) => {
      const expect = deviation.steps?.[i];
      return expect === undefined ? step : { ...step, expect };
    }),
  };
}
