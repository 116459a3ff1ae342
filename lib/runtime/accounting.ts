import { internalError } from "../errors.js";
import type { OperatorMetrics } from "../operators/operator.js";

interface RecordCounts {
  readonly delivered: number;
  readonly skipped: number;
  readonly malformed: number;
  /** Rows and heartbeats. */
  readonly decoded: number;
}

/**
 * The two identities of DESIGN.md section 7, checked before every commit. No side of them is derived from the other, so a row
 * that goes astray stops the batch instead of the books.
 */
export function checkAccounting(records: RecordCounts, operators: readonly OperatorMetrics[]): void {
  const { delivered, skipped, malformed, decoded } = records;
  if (delivered !== skipped + malformed + decoded)
    throw internalError(
      "accounting-records",
      `delivered ${delivered} is not skipped ${skipped} + malformed ${malformed} + decoded ${decoded}.`,
    );
  for (const { operatorId, rowsIn, accepted, numLateInputRows, withoutTime } of operators)
    if (rowsIn !== accepted + numLateInputRows + withoutTime)
      throw internalError(
        "accounting-rows",
        `${operatorId}: rowsIn ${rowsIn} is not accepted ${accepted} + late ${numLateInputRows} + withoutTime ${withoutTime}.`,
      );
}
