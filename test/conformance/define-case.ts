import { defineQuery } from "../../lib/plan/define-query.js";
import type { QueryDefinition } from "../../lib/plan/logical-plan.js";
import type { GoldenCase, GoldenConf, GoldenPlan } from "./golden-case.js";
import { readPlan } from "./read-plan.js";

/** A case's query as the builder would have made it. @throws what Tidemark refuses */
export function defineCase(
  golden: GoldenCase,
  plan: GoldenPlan,
  conf: GoldenConf,
  statePartitions = 1,
): QueryDefinition {
  const functions: Record<string, unknown> = {};
  return defineQuery({
    queryName: golden.name,
    outputMode: golden.outputMode,
    plan: readPlan(plan, golden.inputs, functions),
    sink: { kind: "memory" },
    functions,
    watermarkPolicy: conf.multipleWatermarkPolicy ?? "min",
    options: {
      statePartitions,
      noDataMicroBatches: conf.noDataMicroBatches ?? true,
      ...(conf.allowMultipleStatefulOperators === undefined
        ? {}
        : { allowMultipleStatefulOperators: conf.allowMultipleStatefulOperators }),
    },
  });
}
