import { TidemarkError, userError } from "../errors.js";
import type { Row } from "../plan/schema.js";
import type { PlanContext } from "./plan-context.js";

/** A row function of the query. What it throws is the query's fault; errors of ours pass as they are. */
export function callFunction({ definition }: PlanContext, id: string): (row: Row) => unknown {
  const call = definition.functions[id];
  if (typeof call !== "function") {
    throw userError(
      "function-missing",
      `The query has no function '${id}'.`,
      "Define the query and its functions together.",
    );
  }
  return (row) => {
    try {
      return call(row);
    } catch (error) {
      if (error instanceof TidemarkError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw userError(
        "user-function",
        `The user function '${id}' threw: ${reason}.`,
        "Make the function handle such rows, or filter them out before it.",
        error,
      );
    }
  };
}
