import { explainQuery } from "../plan/explain/explain-query.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import type { PlanWarning } from "../plan/warnings.js";
import { warningsOf } from "../plan/warnings-of.js";

/** By which queries are found among a file's exports, also across two copies of this package. */
export const QUERY_BRAND: unique symbol = Symbol.for("tidemark.query");

/** A query, ready to be run or deployed: plain data and no I/O. */
export interface Query {
  readonly [QUERY_BRAND]: true;
  readonly definition: QueryDefinition;
  /** What it may do but will regret. */
  readonly warnings: readonly PlanWarning[];
  /** The logical and the physical plan as text: watermarks, state keys, eviction, expected state and latency, warnings. */
  explain(): string;
}

export function makeQuery(definition: QueryDefinition): Query {
  return Object.freeze({
    [QUERY_BRAND]: true as const,
    definition,
    warnings: warningsOf(definition.plan, definition.outputMode, definition.watermarkPolicy),
    explain: () => explainQuery(definition),
  });
}

/** Whether a value is what `writeStream` returns, of this copy of the package or of another. */
export const isQuery = (value: unknown): value is Query =>
  typeof value === "object" && value !== null && (value as { [QUERY_BRAND]?: unknown })[QUERY_BRAND] === true;
