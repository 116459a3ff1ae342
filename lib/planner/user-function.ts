import { TidemarkError, userError } from "../errors.js";
import type { Row } from "../plan/schema.js";
import type { PlanContext } from "./plan-context.js";

/** @throws `function-missing` */
export function requireFunction({ definition }: PlanContext, id: string): (...args: never[]) => unknown {
  const call = definition.functions[id];
  if (typeof call === "function") return call as (...args: never[]) => unknown;
  throw userError(
    "function-missing",
    `The query has no function '${id}'.`,
    "Define the query and its functions together.",
  );
}

/** A row function of the query. What it throws is the query's fault; errors of ours pass as they are. */
export function callFunction(context: PlanContext, id: string): (row: Row) => unknown {
  const call = requireFunction(context, id) as (row: Row) => unknown;
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
