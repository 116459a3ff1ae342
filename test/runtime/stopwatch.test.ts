import { describe, expect, it } from "vitest";
import { stopwatch } from "../../lib/runtime/stopwatch.js";

describe("the stopwatch of a micro-batch", () => {
  it("adds up the turns of a step, and never counts a clock that steps back", () => {
    let now = 100;
    const watch = stopwatch({ now: () => now });
    now = 110;
    watch.lap("run");
    now = 105;
    watch.lap("commit");
    now = 125;
    watch.lap("run");
    expect(watch.durations()).toEqual({
      decode: 0,
      load: 0,
      run: 30,
      stage: 0,
      addBatch: 30,
      commit: 0,
      triggerExecution: 25,
    });
  });
});
