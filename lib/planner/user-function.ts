import { TidemarkError, userError } from "../errors.js";
import { ownRow } from "../operators/own-row.js";
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
      return call(ownRow(row));
    } catch (error) {
      throw thrownBy(id, error);
    }
  };
}

/** A row function that gives rows: a generator throws as it is read, not as it is called. */
export function callRowsFunction(context: PlanContext, id: string): (row: Row) => Iterable<Row> {
  const call = callFunction(context, id) as (row: Row) => Iterable<Row>;
  return (row) => {
    const rows = call(row);
    try {
      return [...rows];
    } catch (error) {
      throw thrownBy(id, error);
    }
  };
}

function thrownBy(id: string, error: unknown): TidemarkError {
  if (error instanceof TidemarkError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return userError(
    "user-function",
    `The user function '${id}' threw: ${reason}.`,
    "Make the function handle such rows, or filter them out before it.",
    error,
  );
}
