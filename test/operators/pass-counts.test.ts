import { describe, expect, it } from "vitest";
import { noCounts, operatorMetrics } from "../../lib/operators/pass-counts.js";

describe("operatorMetrics", () => {
  const count = { ...noCounts(), rowsIn: 5, accepted: 2, late: 3, updated: 1 };

  it("counts every late row as dropped where groups are not told apart", () => {
    expect(operatorMetrics("dedupe", "op", 7, count)).toMatchObject({
      numRowsTotal: 7,
      numRowsUpdated: 1,
      numLateInputRows: 3,
      numRowsDroppedByWatermark: 3,
    });
  });

  it("counts the groups that late rows missed where an operator says how many", () => {
    expect(operatorMetrics("stateStoreSave", "op", 7, count, 2)).toMatchObject({
      rowsIn: 5,
      numLateInputRows: 3,
      numRowsDroppedByWatermark: 2,
    });
  });
});
