import { describe, expect, it } from "vitest";
import type { OperatorMetrics } from "../../lib/operators/operator.js";
import { checkAccounting } from "../../lib/runtime/accounting.js";

const metrics = (rowsIn: number, accepted: number, late: number, withoutTime: number): OperatorMetrics => ({
  operatorName: "stateStoreSave",
  operatorId: "views",
  numRowsTotal: 0,
  numRowsUpdated: 0,
  numRowsRemoved: 0,
  numRowsDroppedByWatermark: 0,
  rowsIn,
  accepted,
  numLateInputRows: late,
  withoutTime,
  partlyLate: 0,
});

describe("the accounting identities", () => {
  it("hold when every record and every row is somewhere", () => {
    const records = { delivered: 10, skipped: 2, malformed: 1, decoded: 7 };
    expect(() => checkAccounting(records, [metrics(7, 4, 2, 1)])).not.toThrow();
  });

  it("name the numbers when a record is nowhere, or twice", () => {
    const lost = { delivered: 10, skipped: 2, malformed: 1, decoded: 6 };
    expect(() => checkAccounting(lost, [])).toThrow(/accounting-records.*delivered 10.*decoded 6/);
    expect(() => checkAccounting({ ...lost, decoded: 8 }, [])).toThrow("accounting-records");
  });

  it("name the operator that lost a row", () => {
    const records = { delivered: 0, skipped: 0, malformed: 0, decoded: 0 };
    expect(() => checkAccounting(records, [metrics(1, 1, 0, 0), metrics(7, 4, 2, 0)])).toThrow(
      /accounting-rows.*views/,
    );
  });
});
