import { queryHandler } from "../lib/lambda.js";
import { defineQuery } from "../lib/plan/define-query.js";
import type { QueryDefinition } from "../lib/plan/logical-plan.js";

/** The query with as many state partitions as `DEMO_PARTITIONS` says, under a name of its own: another number is another query. */
export function partitionedHandler({ definition }: { readonly definition: QueryDefinition }) {
  const statePartitions = Number(process.env["DEMO_PARTITIONS"]);
  const queryName = `${definition.queryName}-${statePartitions}`;
  return queryHandler({
    definition: defineQuery({ ...definition, queryName, options: { ...definition.options, statePartitions } }),
  });
}
