import type { Row } from "../plan/schema.js";
import { keepRows } from "./chunk.js";
import { NO_ROWS, type Operator } from "./operator.js";

interface FilterOperator extends Operator {
  /** Rows removed in this pass, counted here (DESIGN.md section 7). */
  readonly filtered: number;
}

/** Keeps rows for which the predicate is true; false and NULL remove them. */
export function filterOperator(predicate: (row: Row) => unknown): FilterOperator {
  let filtered = 0;
  return {
    beginPass() {
      filtered = 0;
    },
    process(chunk) {
      const kept = keepRows(chunk, (row) => predicate(row) === true);
      filtered += chunk.rows.length - kept.rows.length;
      return kept;
    },
    endPass: () => NO_ROWS,
    get filtered() {
      return filtered;
    },
  };
}
