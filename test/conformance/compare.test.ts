import { describe, expect, it } from "vitest";
import { isoTime } from "../../lib/time/iso-time.js";
import { compareBatches, near } from "./compare.js";
import { type GoldenBatch, type GoldenCase, tagFilter } from "./golden-case.js";

const golden = { query: { from: "a", ops: [] } } as unknown as GoldenCase;
const batch = (overrides: Partial<GoldenBatch> = {}): GoldenBatch => ({
  batchId: 0,
  numInputRows: 1,
  output: [],
  eventTime: {},
  stateOperators: [],
  ...overrides,
});

describe("compareBatches", () => {
  it("takes output for a multiset: order is nothing, repeats are something", () => {
    const [a, b] = [{ x: 1 }, { x: 2 }];
    expect(compareBatches(golden, [batch({ output: [a, b] })], [batch({ output: [b, a] })])).toEqual([]);
    expect(compareBatches(golden, [batch({ output: [a, a] })], [batch({ output: [a] })])).toHaveLength(1);
  });

  it("sees a difference in every field, and a batch too few or too many", () => {
    const changes: Partial<GoldenBatch>[] = [
      { batchId: 1 },
      { numInputRows: 2 },
      { output: [{}] },
      { eventTime: { watermark: "x" } },
      { stateOperators: [{ numRowsTotal: 1 }] },
    ];
    for (const change of changes) expect(compareBatches(golden, [batch()], [batch(change)])).toHaveLength(1);
    expect(compareBatches(golden, [batch()], [])).toHaveLength(1);
    expect(compareBatches(golden, [], [batch()])).toHaveLength(1);
  });
});

describe("near", () => {
  it("compares doubles at relative 1e-9 and nothing else so", () => {
    expect(near({ a: [0.1 + 0.2] }, { a: [0.3] })).toBe(true);
    expect(near(1, 1.00000001)).toBe(false);
    expect(near("1", 1)).toBe(false);
    expect(near({ a: null }, { a: undefined })).toBe(false);
    expect(near({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  });
});

describe("tagFilter", () => {
  it("wants any of the named tags and none of the excluded ones", () => {
    const wanted = tagFilter("a,b,-c");
    expect([["a"], ["b", "x"], ["a", "c"], ["x"]].map(wanted)).toEqual([true, true, false, false]);
    expect(tagFilter("-c")(["x"])).toBe(true);
    expect(tagFilter("")([])).toBe(true);
  });
});

describe("isoTime", () => {
  it("writes no fraction, three digits or six", () => {
    expect([0, 1.5, 1, -0.001].map(isoTime)).toEqual([
      "1970-01-01T00:00:00Z",
      "1970-01-01T00:00:00.001500Z",
      "1970-01-01T00:00:00.001Z",
      "1969-12-31T23:59:59.999999Z",
    ]);
  });
});
