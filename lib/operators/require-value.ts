import { keepRows } from "./batch-rows.js";
import type { Reader } from "./evaluate/reader.js";
import { NO_BATCHES, type Operator, type PassContext } from "./operator.js";

/**
 * A filter that an operator above implies: `window()` is nothing without a time (SEMANTICS A11, C6). What it removes is
 * reported in that operator's name as without time, not as filtered.
 */
export function requireValueOperator(operatorId: string, reason: string, condition: Reader): Operator {
  let pass: PassContext;
  return {
    beginPass(context) {
      pass = context;
    },
    process(batch) {
      const holds = condition(batch);
      return keepRows(batch, (row) => {
        const accepted = holds(row) === true;
        if (!accepted) pass.withoutTime({ operatorId, row: batch.row(row), origin: batch.origin(row), reason });
        return accepted;
      });
    },
    endPass: () => NO_BATCHES,
  };
}
