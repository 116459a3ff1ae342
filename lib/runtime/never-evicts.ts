import type { QueryDefinition } from "../plan/logical-plan.js";
import { nodesUpwards } from "../plan/walk.js";
import { warningsOf } from "../plan/warnings-of.js";

const UNBOUNDED: ReadonlySet<string> = new Set(["join-unbounded", "aggregate-unbounded", "dedup-unbounded"]);

/** Why some state of the query is kept for ever: the plan's own warnings, and complete mode, which evicts nothing by its meaning. */
export function neverEvicts({ plan, outputMode }: Pick<QueryDefinition, "plan" | "outputMode">): readonly string[] {
  const codes = warningsOf(plan, outputMode).map(({ code }): string => code);
  const complete = outputMode === "complete" && nodesUpwards(plan).some(({ kind }) => kind === "aggregate");
  return [...new Set([...(complete ? ["complete-mode"] : []), ...codes.filter((code) => UNBOUNDED.has(code))])];
}
