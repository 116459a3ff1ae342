import { describe, expect, it } from "vitest";
import type { ChangeRun, Segment } from "../../lib/checkpoint/manifest-codec.js";
import { assemble, bucketOf, touchedBuckets } from "../../lib/checkpoint/segments.js";
import { type Change, NOTHING_EXPIRED, REMOVE, type StateDelta } from "../../lib/state/state-delta.js";

const HOUR = 3_600_000_000;
const blob = { inline: new Uint8Array() };
const put = (value: unknown, fresh = false, order = 0): Change => ({ kind: "put", value, fresh, order });
const delta = (rows: [number | null, string, Change][], expiredThrough = NOTHING_EXPIRED): StateDelta => {
  const changes = new Map<number | null, Map<string, Change>>();
  for (const [expiry, key, change] of rows) changes.set(expiry, (changes.get(expiry) ?? new Map()).set(key, change));
  return new Map([["t", { expiredThrough, changes }]]);
};
const segment = (bucket: number | null, asOf: number, rows: [number | null, string, Change][]) => ({
  part: { bucket, asOf, blob, bytes: 0 } satisfies Segment,
  delta: delta(rows),
});
const run = (first: number, last: number, d: StateDelta) => ({
  part: { first, last, blob, bytes: 0, ...touchedBuckets(d) } satisfies ChangeRun,
  delta: d,
});
const rows = (d: StateDelta) =>
  [...d.get("t")!.changes].flatMap(([expiry, bucket]) =>
    [...bucket].flatMap(([key, change]) => (change.kind === "put" ? [[expiry, key, change.value]] : [])),
  );

describe("segments and runs", () => {
  it("share a bucket by the hour; rows that never expire have their own", () => {
    expect([0, HOUR - 1, HOUR, -1, null].map(bucketOf)).toEqual([0, 0, 1, -1, null]);
  });

  it("apply a run to a bucket only if its last batch is above the segment's asOf (rule 3)", () => {
    const changes = delta([
      [1, "a", put("run")],
      [HOUR, "b", put("run")],
      [2 * HOUR, "c", put("run", true)],
    ]);
    const whole = assemble(
      [segment(0, 9, [[1, "a", put("segment", true)]]), segment(1, 4, [[HOUR, "b", put("segment", true)]])],
      [run(5, 9, changes)],
    );
    expect(rows(whole)).toEqual([
      [1, "a", "segment"],
      [HOUR, "b", "run"],
      [2 * HOUR, "c", "run"],
    ]);
  });

  it("apply runs in the order of their batches, whatever order they are listed in", () => {
    const whole = assemble(
      [],
      [run(3, 4, delta([[1, "a", put("later")]])), run(1, 2, delta([[1, "a", put("earlier", true)]]))],
    );
    expect(rows(whole)).toEqual([[1, "a", "later"]]);
  });

  it("never show a row in two buckets, though one bucket's segment is newer than the move", () => {
    const moved = delta([
      [1, "k", put("home", false, 7)],
      [HOUR, "k", REMOVE],
    ]);
    const whole = assemble(
      [segment(0, 5, [[1, "k", put("home", true, 7)]]), segment(1, 3, [[HOUR, "k", put("away", true, 7)]])],
      [run(4, 5, moved)],
    );
    expect(rows(whole)).toEqual([[1, "k", "home"]]);
  });

  it("drop what a run expired, part of a bucket included, and not what it put afterwards", () => {
    const expired = delta([[10, "late", put("late", true)]], 20);
    const whole = assemble(
      [
        segment(0, 3, [
          [10, "a", put(1, true)],
          [20, "b", put(2, true)],
          [21, "c", put(3, true)],
        ]),
      ],
      [run(4, 4, expired)],
    );
    expect(rows(whole).sort()).toEqual([
      [10, "late", "late"],
      [21, "c", 3],
    ]);
  });
});
