import { keepRows } from "./batch-rows.js";
import type { Reader } from "./evaluate/reader.js";
import { NO_BATCHES, type Operator } from "./operator.js";

interface FilterOperator extends Operator {
  /** Rows removed in this pass, counted here (DESIGN.md section 7). */
  readonly filtered: number;
}

/** Keeps rows for which the predicate is true; false and NULL remove them. */
export function filterOperator(predicate: Reader): FilterOperator {
  let filtered = 0;
  return {
    beginPass() {
      filtered = 0;
    },
    process(batch) {
      const holds = predicate(batch);
      const kept = keepRows(batch, (row) => holds(row) === true);
      filtered += batch.length - kept.length;
      return kept;
    },
    endPass: () => NO_BATCHES,
    get filtered() {
      return filtered;
    },
  };
}
