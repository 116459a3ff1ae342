import { describe, expect, it } from "vitest";
import { delivery, harness } from "./support/harness.js";
import { windowedCount } from "./support/windowed-count.js";

const counted = () => harness({ physical: () => windowedCount({ sizeMs: 1_000, delayMs: 0 }) });

describe("a progress record", () => {
  it("says where each shard was read from and to", async () => {
    const h = counted();
    await h.query.processBatch([delivery("a", 1, [100, 200])]);
    await h.query.processBatch([delivery("a", 3, [300]), delivery("b", 1, [300])]);
    expect(h.progress.map(({ sources }) => sources)).toEqual([
      [{ description: "input", startOffset: {}, endOffset: { "input/a": "2" }, numInputRows: 2 }],
      [
        {
          description: "input",
          startOffset: { "input/a": "2" },
          endOffset: { "input/a": "3", "input/b": "1" },
          numInputRows: 2,
        },
      ],
    ]);
  });

  it("measures the rate of input between batches, and none where no time passed", async () => {
    const h = counted();
    await h.query.processBatch([delivery("a", 1, [100])]);
    h.clock.time += 2_000;
    await h.query.processBatch([delivery("a", 2, [200, 300, 400])]);
    await h.query.processBatch([delivery("a", 5, [500])]);
    expect(h.progress.map(({ inputRowsPerSecond }) => inputRowsPerSecond).slice(1)).toEqual([1.5, 0]);
  });

  it("has no source of a tick, and counts the rows that it emitted", async () => {
    const h = counted();
    await h.query.processBatch([delivery("a", 1, [100, 1_500])]);
    const drained = await h.query.drain();
    expect(drained).toMatchObject({ sources: [], numInputRows: 0, sink: { numOutputRows: 1 }, deliveredRecords: 0 });
  });
});
