import { describe, expect, it } from "vitest";
import type { ChangeRun, Manifest, Segment } from "../../lib/checkpoint/manifest-codec.js";
import { NO_REGISTERS } from "../../lib/checkpoint/registers.js";
import { isCompactionDue, MAX_CHANGE_RUNS, planSnapshot } from "../../lib/checkpoint/snapshot-plan.js";
import { applyStateDelta, emptyState } from "../../lib/state/committed-state.js";
import { type Change, NOTHING_EXPIRED, type StateDelta } from "../../lib/state/state-delta.js";

const HOUR = 3_600_000_000;
const blob = { inline: new Uint8Array() };
const segment = (bucket: number | null, bytes = 10): Segment => ({ bucket, asOf: 4, blob, bytes });
const run = (buckets: number[], bytes = 10, expiredThrough = NOTHING_EXPIRED): ChangeRun => ({
  first: 5,
  last: 8,
  blob,
  bytes,
  buckets,
  expiredThrough,
});
const manifest = (segments: Segment[], runs: ChangeRun[]): Manifest => ({
  version: 8,
  generation: 1,
  offsets: new Map(),
  registers: NO_REGISTERS,
  lastPassWatermark: 0,
  watermark: 0,
  segments,
  runs,
});
const puts = (hours: number[], expiredThrough = NOTHING_EXPIRED): StateDelta => {
  const put: Change = { kind: "put", value: [1], fresh: true, order: 0 };
  return new Map([["a/t", { expiredThrough, changes: new Map(hours.map((h) => [h * HOUR, new Map([["k", put]])])) }]]);
};
const stateWith = (hours: number[]) => {
  const state = emptyState([{ operatorId: "a", table: "t", locate: "expiry" }]);
  applyStateDelta(state, puts(hours));
  return state;
};
const buckets = (segments: readonly Segment[]) => segments.map(({ bucket }) => bucket);

describe("a snapshot that makes room (rule 7)", () => {
  it("appends and keeps every segment that still has rows", () => {
    const base = manifest([segment(1), segment(2), segment(null)], [run([2])]);
    const plan = planSnapshot(base, stateWith([2, 3]), puts([3]), false);
    expect(plan.kind).toBe("append");
    expect(buckets(plan.segments)).toEqual([2, null]);
  });

  it("compacts at the hard limit, whosever turn it is", () => {
    const base = manifest(
      [segment(1)],
      Array.from({ length: MAX_CHANGE_RUNS }, () => run([1])),
    );
    expect(planSnapshot(base, stateWith([1]), puts([1]), false).kind).toBe("compact");
  });
});

describe("compaction", () => {
  it("is due when runs outweigh segments", () => {
    expect(isCompactionDue(null)).toBe(false);
    expect(isCompactionDue(manifest([segment(1, 10)], [run([1], 10)]))).toBe(false);
    expect(isCompactionDue(manifest([segment(1, 10)], [run([1], 11)]))).toBe(true);
  });

  it("reuses a segment only if nothing in any run or in the changes since touches its bucket", () => {
    const base = manifest([segment(0), segment(1), segment(2), segment(3), segment(null)], [run([2], 99, HOUR - 1)]);
    const plan = planSnapshot(base, stateWith([1, 2, 3]), puts([3]), true);
    if (plan.kind !== "compact") throw new Error("expected a compaction");
    expect(buckets(plan.segments)).toEqual([1, null]);
    expect([0, 1, 2, 3].map(plan.rewrite)).toEqual([true, false, true, true]);
  });

  it("rewrites a bucket of which a part expired", () => {
    const plan = planSnapshot(manifest([segment(1), segment(2)], []), stateWith([2]), puts([], HOUR + 5), true);
    expect(buckets(plan.segments)).toEqual([2]);
  });
});
