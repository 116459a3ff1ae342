import { describe, expect, it } from "vitest";
import { afterPass, dataPass, finishPasses, noDataPass, runPasses } from "../../lib/planner/passes.js";
import type { PassOptions, PassOutput, PassResult, PhysicalQuery } from "../../lib/planner/physical-query.js";
import { memoryState } from "../../lib/state/staged-state.js";

/** A query that only writes down which passes it runs. */
function recorder() {
  const passes: [late: number, evict: number][] = [];
  const query = {
    beginPass: (options: PassOptions) =>
      void passes.push([options.watermarkForLateEvents, options.watermarkForEviction]),
    *endPass(): Generator<PassOutput, PassResult> {
      yield { output: [], late: [], withoutTime: [] };
      return {} as PassResult;
    },
  } as unknown as PhysicalQuery;
  return { passes, query };
}

const run = (lastPassWatermark: number, watermark: number, advanced: number, overrides: object = {}) => {
  const { passes, query } = recorder();
  const { watermarks } = finishPasses(
    runPasses({
      query,
      watermarks: { lastPassWatermark, watermark },
      options: { processingTime: 0, state: memoryState().stage() },
      noDataPasses: true,
      leadingPass: true,
      feed: () => {},
      advance: () => advanced,
      ...overrides,
    }),
  );
  return { passes, watermarks };
};

describe("the passes of a micro-batch", () => {
  it("data and follow-up: what the data pass evicted with is what the follow-up is late by", () => {
    expect(run(10, 10, 20)).toEqual({
      passes: [
        [10, 10],
        [10, 20],
      ],
      watermarks: { lastPassWatermark: 20, watermark: 20 },
    });
  });

  it("a leading pass first, where the watermark moved after the last pass", () => {
    expect(run(10, 15, 15).passes).toEqual([
      [10, 15],
      [15, 15],
    ]);
  });

  it("without no-data passes the data pass is late by one watermark and evicts by the next", () => {
    const { passes, watermarks } = run(10, 15, 30, { noDataPasses: false });
    expect(passes).toEqual([[10, 15]]);
    expect(watermarks).toEqual({ lastPassWatermark: 15, watermark: 30 });
  });

  it("never lets the watermark go back", () => {
    expect(run(10, 10, 5).watermarks).toEqual({ lastPassWatermark: 10, watermark: 10 });
  });

  it("a tick is the leading pass alone, or nothing", () => {
    expect(run(10, 15, 99, { feed: undefined }).passes).toEqual([[10, 15]]);
    expect(run(15, 15, 99, { feed: undefined }).passes).toEqual([]);
  });

  it("the recordings' driver has no leading pass", () => {
    expect(run(10, 15, 15, { leadingPass: false }).passes).toEqual([[10, 15]]);
  });
});

describe("the parts of it", () => {
  it("say what a pass is told, and what remains", () => {
    const watermarks = { lastPassWatermark: 1, watermark: 2 };
    expect(dataPass(watermarks)).toEqual({ watermarkForLateEvents: 1, watermarkForEviction: 2 });
    expect(noDataPass(true, { lastPassWatermark: 2, watermark: 2 })).toBeNull();
    expect(noDataPass(false, watermarks)).toBeNull();
    expect(afterPass(watermarks)).toEqual({ lastPassWatermark: 2, watermark: 2 });
  });
});
