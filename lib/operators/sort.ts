import { NO_ROWS } from "../columns/column-batch.js";
import type { Row } from "../plan/schema.js";
import { inBatches } from "./in-batches.js";
import type { Operator } from "./operator.js";
import { compareNullable } from "./ordering.js";

/** NULLs first ascending, last descending, as in Spark. */
const rowComparator =
  (columns: readonly { readonly name: string; readonly descending: boolean }[]) =>
  (a: Row, b: Row): number => {
    for (const { name, descending } of columns) {
      const order = compareNullable(a[name], b[name]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };

/** Sorts one pass's rows; above a complete-mode aggregation that is the whole result (SEMANTICS G2). */
export function sortOperator(columns: Parameters<typeof rowComparator>[0]): Operator {
  const compare = rowComparator(columns);
  let pending: Row[] = [];
  return {
    beginPass() {
      pending = [];
    },
    process(batch) {
      for (const row of batch.selection) pending.push(batch.row(row));
      return NO_ROWS;
    },
    endPass: () => inBatches(pending.sort(compare)),
  };
}
