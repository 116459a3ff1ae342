import type { LateRow, RejectedRow } from "../../lib/operators/operator.js";
import type { Row } from "../../lib/plan/schema.js";
import { finishPasses } from "../../lib/planner/passes.js";
import type { PassOutput } from "../../lib/planner/physical-query.js";

/** What a pass, or several, return, with all of their output. */
export function collectPass<Result extends object>(passes: Generator<PassOutput, Result>): Result & PassOutput {
  const output: Row[] = [];
  const late: LateRow[] = [];
  const withoutTime: RejectedRow[] = [];
  const result = finishPasses(passes, (part) => {
    for (const row of part.output) output.push(row);
    for (const row of part.late) late.push(row);
    for (const row of part.withoutTime) withoutTime.push(row);
  });
  return { ...result, output, late, withoutTime };
}
