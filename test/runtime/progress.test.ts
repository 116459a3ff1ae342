import { describe, expect, it } from "vitest";
import type { OperatorMetrics } from "../../lib/operators/operator.js";
import type { PassResult } from "../../lib/planner/physical-query.js";
import { eventTimeProgress, sumOperators } from "../../lib/runtime/progress.js";
import { NO_WATERMARK } from "../../lib/time/event-time.js";

const metrics = (numRowsTotal: number, counted: number): OperatorMetrics => ({
  operatorName: "dedupe",
  operatorId: "d",
  numRowsTotal,
  numRowsUpdated: counted,
  numRowsRemoved: counted,
  numRowsDroppedByWatermark: counted,
  numDroppedDuplicateRows: counted,
  rowsIn: counted,
  accepted: counted,
  numLateInputRows: counted,
  withoutTime: counted,
  partlyLate: counted,
});
const pass = (given: OperatorMetrics): PassResult => ({
  numOutputRows: 0,
  numLateRows: 0,
  numRowsWithoutTime: 0,
  observations: [],
  eventTime: null,
  stateOperators: [given],
  rowsIgnoredForWatermark: 0,
  filtered: 0,
});

describe("the progress of a commit", () => {
  it("sums the passes' counters and takes the rows in state from the last", () => {
    expect(sumOperators([pass(metrics(9, 1)), pass(metrics(5, 2))])).toEqual([metrics(5, 3)]);
    expect(sumOperators([])).toEqual([]);
  });

  it("writes instants in ISO, whole milliseconds, and no watermark as null", () => {
    const stats = { max: 1_000.999, min: -0.001, avg: 500.5, count: 2 };
    expect(eventTimeProgress(stats, 250)).toEqual({
      max: "1970-01-01T00:00:01.000Z",
      min: "1969-12-31T23:59:59.999Z",
      avg: "1970-01-01T00:00:00.500Z",
      watermark: "1970-01-01T00:00:00.250Z",
    });
    expect(eventTimeProgress(null, NO_WATERMARK)).toEqual({ watermark: null });
  });
});
