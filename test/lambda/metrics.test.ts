import { describe, expect, it } from "vitest";
import { failedRecordLine, idleLine, metricLines } from "../../lib/lambda/metrics.js";
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
  stateOperators: [
    {
      operatorId: "aggregate",
      numRowsTotal: 7,
      numRowsRemoved: 4,
      numRowsDroppedByWatermark: 1,
      memoryUsedBytes: 500,
    },
  ],
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
              Metrics: [
                metric("numRowsTotal", "Count"),
                metric("numRowsRemoved", "Count"),
                metric("numRowsDroppedByWatermark", "Count"),
                metric("memoryUsedBytes", "Bytes"),
              ],
            },
          ],
        },
        query: "views",
        operator: "aggregate",
        numRowsTotal: 7,
        numRowsRemoved: 4,
        numRowsDroppedByWatermark: 1,
        memoryUsedBytes: 500,
      },
    ]);
  });

  it("say nothing of a watermark that there is none of", () => {
    const [line] = parsed({ ...progress, eventTime: { watermark: null } });
    expect(line).not.toHaveProperty("watermarkLag");
  });

  it("tell how long each step took, 0 for one that was not reached", () => {
    const durationMs = { decode: 3, load: 1, run: 20, stage: 5, addBatch: 25, triggerExecution: 29 };
    expect(parsed({ ...progress, durationMs })[0]).toMatchObject({
      decode: 3,
      load: 1,
      run: 20,
      stage: 5,
      commit: 0,
      publish: 0,
      triggerExecution: 29,
    });
  });

  it("TRIALS-2 D4: an idle tick tells the lag of a silent stream, and of an input never heard since the query began", () => {
    const input = { source: "views", delayMs: 60_000, probed: true, shards: {} };
    const event = {
      id: `00${Date.parse("2024-03-01T09:10:00Z")}`,
      runId: "run",
      name: "views",
      timestamp: "",
      heldBackBy: null,
    };
    const heard = {
      ...input,
      watermark: "2024-03-01T12:00:00.000Z",
      readThrough: "2024-03-01T12:09:59.000Z",
    };
    expect(
      JSON.parse(idleLine({ ...event, watermark: "2024-03-01T12:00:00.000Z", watermarks: [heard] }, now)),
    ).toMatchObject({ query: "views", watermarkLag: 600_000, readThroughLag: 1_000 });
    const silent = { ...input, watermark: null, readThrough: null };
    expect(JSON.parse(idleLine({ ...event, watermark: null, watermarks: [heard, silent] }, now))).toMatchObject({
      watermarkLag: 3 * 3_600_000,
      readThroughLag: 3 * 3_600_000,
    });
    const timeless = { ...silent, delayMs: null, readThrough: "2024-03-01T12:09:00.000Z" };
    expect(JSON.parse(idleLine({ ...event, watermark: null, watermarks: [timeless] }, now))).not.toHaveProperty(
      "watermarkLag",
    );
  });

  it("count a record at which a user function threw, which Lambda takes for success", () => {
    expect(JSON.parse(failedRecordLine("views", now))).toMatchObject({
      _aws: { CloudWatchMetrics: [{ Dimensions: [["query"]], Metrics: [{ Name: "failedRecords", Unit: "Count" }] }] },
      query: "views",
      failedRecords: 1,
    });
  });
});
