import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  comparePositions,
  forgetShards,
  isConsumed,
  MAX_RUNS,
  NO_OFFSETS,
  recordRun,
  recordUpdates,
  runsAbove,
  type ShardOffsets,
} from "../../lib/checkpoint/offsets.js";

const at = (n: number | string, sub = 0) => ({ sequence: String(n), sub });
const run = (first: number, last: number) => ({ first: at(first), last: at(last) });
const record = (offsets: ShardOffsets, ...runs: [number, number][]) =>
  runs.reduce((o, [first, last]) => recordRun(o, run(first, last), MAX_RUNS), offsets);
const plain = ({ through, runs }: ShardOffsets) => ({
  through: through && Number(through.sequence),
  runs: runs.map(({ first, last }) => [Number(first.sequence), Number(last.sequence)]),
});

describe("positions", () => {
  it("compare as integers of any length, then by sub-record", () => {
    expect(comparePositions(at("9"), at("10"))).toBeLessThan(0);
    expect(comparePositions(at("49671033210893751096840397430000000000000000000000000002"), at("9"))).toBeGreaterThan(
      0,
    );
    expect(comparePositions(at("007"), at("7"))).toBe(0);
    expect(comparePositions(at("7", 2), at("7", 10))).toBeLessThan(0);
  });
});

describe("offsets of a shard (rule 4)", () => {
  it("keep the first run apart: nothing below it is known", () => {
    expect(plain(record(NO_OFFSETS, [5, 7]))).toEqual({ through: null, runs: [[5, 7]] });
    expect(isConsumed(record(NO_OFFSETS, [5, 7]), at(4))).toBe(false);
    expect(isConsumed(record(NO_OFFSETS, [5, 7]), at(6))).toBe(true);
  });

  it("merge on intersection and never on adjacency, for numbers have gaps", () => {
    expect(plain(record(NO_OFFSETS, [1, 3], [4, 6]))).toEqual({
      through: null,
      runs: [
        [1, 3],
        [4, 6],
      ],
    });
    expect(plain(record(NO_OFFSETS, [1, 3], [6, 8], [3, 6]))).toEqual({ through: null, runs: [[1, 8]] });
  });

  it("raise through when the merged run begins at or below it, and the run vanishes", () => {
    const through = record({ through: at(10), runs: [] }, [20, 25]);
    expect(plain(record(through, [10, 12]))).toEqual({ through: 12, runs: [[20, 25]] });
    expect(plain(record(through, [9, 22]))).toEqual({ through: 25, runs: [] });
    expect(plain(record(through, [3, 5]))).toEqual({ through: 10, runs: [[20, 25]] });
  });

  it("let the lowest of more than K runs fall off into through, which never goes down [CE7]", () => {
    let offsets: ShardOffsets = NO_OFFSETS;
    for (const [first, last] of [
      [2, 2],
      [1, 1],
      [3, 3],
      [3, 4],
    ] as const)
      offsets = recordRun(offsets, run(first, last), 2);
    expect(plain(offsets)).toEqual({
      through: 1,
      runs: [
        [2, 2],
        [3, 4],
      ],
    });
    offsets = recordRun(offsets, run(9, 9), 2);
    expect(plain(offsets)).toEqual({
      through: 2,
      runs: [
        [3, 4],
        [9, 9],
      ],
    });
    expect(plain(recordRun(offsets, run(1, 1), 2))).toEqual({
      through: 2,
      runs: [
        [3, 4],
        [9, 9],
      ],
    });
  });

  it("say how many runs stand above a record", () => {
    const offsets = record(NO_OFFSETS, [5, 6], [8, 9], [20, 20]);
    expect([3, 7, 10, 30].map((n) => runsAbove(offsets, at(n)))).toEqual([3, 2, 1, 0]);
  });

  it("count every record once in whatever order up to K + 1 pieces come, gaps in the numbers included", () => {
    const pieces = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: MAX_RUNS + 1 }).chain((sizes) =>
      fc.tuple(
        fc.constant(sizes),
        fc.shuffledSubarray(
          sizes.map((_, i) => i),
          { minLength: sizes.length },
        ),
      ),
    );
    fc.assert(
      fc.property(pieces, fc.nat(1000), ([sizes, order], gap) => {
        const starts = sizes.map((_, i) => sizes.slice(0, i).reduce((sum, size) => sum + size, 0));
        const numberOf = (i: number) => at((i + 1) * (gap + 1));
        let offsets: ShardOffsets = NO_OFFSETS;
        const counted = new Map<number, number>();
        for (const piece of [...order, ...order]) {
          const records = Array.from({ length: sizes[piece]! }, (_, i) => starts[piece]! + i);
          const fresh = records.filter((i) => !isConsumed(offsets, numberOf(i)));
          for (const i of fresh) counted.set(i, (counted.get(i) ?? 0) + 1);
          if (fresh.length > 0)
            offsets = recordRun(offsets, { first: numberOf(records[0]!), last: numberOf(records.at(-1)!) }, MAX_RUNS);
        }
        expect([...counted.values()].every((times) => times === 1)).toBe(true);
        expect(counted.size).toBe(sizes.reduce((sum, size) => sum + size, 0));
      }),
    );
  });

  it("record nothing for shards that did not move, and leave the map before untouched", () => {
    const before = recordUpdates(new Map(), [{ shard: "a", ...run(1, 2) }], MAX_RUNS);
    const after = recordUpdates(before, [{ shard: "b", ...run(1, 1) }], MAX_RUNS);
    expect(after.get("a")).toBe(before.get("a"));
    expect(before.has("b")).toBe(false);
    expect(recordUpdates(before, [], MAX_RUNS)).toBe(before);
  });

  it("lose retired shards, and leave the map before untouched", () => {
    const before = recordUpdates(
      new Map(),
      ["a", "b"].map((shard) => ({ shard, ...run(1, 2) })),
      MAX_RUNS,
    );
    expect([...forgetShards(before, ["a", "x"]).keys()]).toEqual(["b"]);
    expect([...before.keys()]).toEqual(["a", "b"]);
    expect(forgetShards(before, ["x"])).toBe(before);
  });
});
