import { TidemarkError } from "../../lib/errors.js";
import { defineCase } from "./define-case.js";
import type { GoldenCase } from "./golden-case.js";

/** Why a case cannot run with several state partitions though it runs with one; null: it can, or is refused either way. */
export function notPartitionable(golden: GoldenCase): string | null {
  const plans = [
    golden.query,
    ...golden.steps.flatMap(({ restart }) => (restart === true ? [] : (restart?.query ?? []))),
  ];
  for (const plan of plans) {
    try {
      defineCase(golden, plan, golden.conf, 4);
    } catch (error) {
      if (error instanceof TidemarkError && error.code.startsWith("partition-")) return error.code;
    }
  }
  return null;
}
