import { describe, expect, it } from "vitest";
import { failedRecordLine, metricLines } from "../../lib/lambda/metrics.js";
import type { QueryProgress } from "../../lib/runtime/progress.js";

const progress = {
  name: "views",
  numInputRows: 10,
  numLateInputRows: 2,
  malformedRows: 1,
  rowsIgnoredForWatermark: 0,
  conflicts: 0,
  runsAboveOutOfOrder: 0,
  stateBytes: 512,
  durationMs: { triggerExecution: 40 },
  eventTime: { watermark: "2024-03-01T12:00:00.000Z" },
  sink: { description: "s3", numOutputRows: 3 },
  stateOperators: [{ operatorId: "aggregate", numRowsTotal: 7, numRowsDroppedByWatermark: 1 }],
} as unknown as QueryProgress;
const now = Date.parse("2024-03-01T12:10:00Z");
const parsed = (given: QueryProgress) => metricLines(given, now).map((line) => JSON.parse(line) as never);

describe("metrics of a micro-batch", () => {
  it("are one line for the query and one for each operator, with no other dimension", () => {
    const metric = (Name: string, Unit: string) => ({ Name, Unit });
    expect(parsed(progress)).toMatchObject([
      {
        _aws: { Timestamp: now, CloudWatchMetrics: [{ Namespace: "Tidemark", Dimensions: [["query"]] }] },
        query: "views",
        numInputRows: 10,
        numOutputRows: 3,
        stateBytes: 512,
        triggerExecution: 40,
        watermarkLag: 600_000,
      },
      {
        _aws: {
          CloudWatchMetrics: [
            {
              Dimensions: [["query", "operator"]],
              Metrics: [metric("numRowsTotal", "Count"), metric("numRowsDroppedByWatermark", "Count")],
            },
          ],
        },
        query: "views",
        operator: "aggregate",
        numRowsTotal: 7,
        numRowsDroppedByWatermark: 1,
      },
    ]);
  });

  it("say nothing of a watermark that there is none of", () => {
    const [line] = parsed({ ...progress, eventTime: { watermark: null } });
    expect(line).not.toHaveProperty("watermarkLag");
  });

  it("count a record at which a user function threw, which Lambda takes for success", () => {
    expect(JSON.parse(failedRecordLine("views", now))).toMatchObject({
      _aws: { CloudWatchMetrics: [{ Dimensions: [["query"]], Metrics: [{ Name: "failedRecords", Unit: "Count" }] }] },
      query: "views",
      failedRecords: 1,
    });
  });
});
