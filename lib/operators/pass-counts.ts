import type { OperatorMetrics } from "./operator.js";

/** What a stateful operator counts in one pass, each number where it happens: rowsIn = accepted + late + withoutTime. */
export interface PassCounts {
  rowsIn: number;
  accepted: number;
  late: number;
  withoutTime: number;
  partlyLate: number;
  updated: number;
  removed: number;
}

export const noCounts = (): PassCounts => ({
  rowsIn: 0,
  accepted: 0,
  late: 0,
  withoutTime: 0,
  partlyLate: 0,
  updated: 0,
  removed: 0,
});

/** The pass as it is reported. `dropped` is what Spark counts as dropped by the watermark: late rows, or the distinct groups that they missed. */
export const operatorMetrics = (
  operatorName: string,
  operatorId: string,
  numRowsTotal: number,
  count: Readonly<PassCounts>,
  dropped = count.late,
): OperatorMetrics => ({
  operatorName,
  operatorId,
  numRowsTotal,
  numRowsUpdated: count.updated,
  numRowsRemoved: count.removed,
  numRowsDroppedByWatermark: dropped,
  rowsIn: count.rowsIn,
  accepted: count.accepted,
  numLateInputRows: count.late,
  withoutTime: count.withoutTime,
  partlyLate: count.partlyLate,
});
