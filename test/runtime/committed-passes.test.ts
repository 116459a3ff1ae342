import { describe, expect, it } from "vitest";
import { NO_REGISTERS } from "../../lib/checkpoint/registers.js";
import { finishPasses } from "../../lib/planner/passes.js";
import type { PassOptions } from "../../lib/planner/physical-query.js";
import { type PassesRequest, runDataPasses, runNoDataPass } from "../../lib/runtime/committed-passes.js";
import { memoryState } from "../../lib/state/staged-state.js";
import { windowedCount } from "./support/windowed-count.js";

const run = (lastPassWatermark: number, watermark: number, noDataPasses = true) => {
  const passes: [late: number, evict: number][] = [];
  const counted = windowedCount({ sizeMs: 10, delayMs: 0 });
  const query = {
    ...counted,
    beginPass: (options: PassOptions) => {
      passes.push([options.watermarkForLateEvents, options.watermarkForEviction]);
      counted.beginPass(options);
    },
  };
  const request: PassesRequest = {
    query,
    watermarks: { lastPassWatermark, watermark },
    staged: memoryState().stage(),
    processingTime: 0,
    noDataPasses,
  };
  return { request, passes };
};
const advanced = (watermark: number) => () => ({ watermark, registers: NO_REGISTERS, heldBackBy: null });

describe("the passes of one commit", () => {
  it("are leading, data and follow-up, each late by what the one before evicted with", () => {
    const { request, passes } = run(10, 20);
    const outcome = finishPasses(runDataPasses(request, () => {}, advanced(30)));
    expect(passes).toEqual([
      [10, 20],
      [20, 20],
      [20, 30],
    ]);
    expect(outcome).toMatchObject({ lastPassWatermark: 30, watermark: 30 });
    expect(outcome.passes).toHaveLength(3);
  });

  it("are the data pass alone where no pass without data is wanted: late stays one batch behind", () => {
    const { request, passes } = run(10, 20, false);
    const outcome = finishPasses(runDataPasses(request, () => {}, advanced(30)));
    expect(passes).toEqual([[10, 20]]);
    expect(outcome).toMatchObject({ lastPassWatermark: 20, watermark: 30 });
  });

  it("of a tick are one, if the watermark moved, else none", () => {
    const moved = run(10, 20);
    expect(finishPasses(runNoDataPass(moved.request))).toMatchObject({ lastPassWatermark: 20, watermark: 20 });
    expect(moved.passes).toEqual([[10, 20]]);
    const still = run(20, 20);
    expect(finishPasses(runNoDataPass(still.request)).passes).toEqual([]);
  });
});
