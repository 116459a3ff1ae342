import type { Row } from "../plan/schema.js";
import { keepRows } from "./chunk.js";
import { NO_ROWS, type Operator, type PassContext } from "./operator.js";

/**
 * A filter that an operator above implies: `window()` is nothing without a time (SEMANTICS A11, C6). What it removes is
 * reported in that operator's name as without time, not as filtered.
 */
export function requireValueOperator(operatorId: string, reason: string, holds: (row: Row) => boolean): Operator {
  let pass: PassContext;
  return {
    beginPass(context) {
      pass = context;
    },
    process: (chunk) =>
      keepRows(chunk, (row, origin) => {
        const accepted = holds(row);
        if (!accepted) pass.withoutTime({ operatorId, row, origin, reason });
        return accepted;
      }),
    endPass: () => NO_ROWS,
  };
}
