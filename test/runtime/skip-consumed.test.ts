import { describe, expect, it } from "vitest";
import type { OffsetMap } from "../../lib/checkpoint/offsets.js";
import { NO_REGISTERS } from "../../lib/checkpoint/registers.js";
import { decodeDeliveries } from "../../lib/runtime/micro-batch-input.js";
import { recordRead } from "../../lib/runtime/shard-registers.js";
import { countAncient, skipConsumed } from "../../lib/runtime/skip-consumed.js";
import { delivery, jsonDecoder } from "./support/harness.js";

const at = (sequence: number) => ({ sequence: String(sequence), sub: 0 });
const sources = [{ name: "input", schema: { fields: [] } }];
const input = (first: number, arrivals: readonly number[]) =>
  decodeDeliveries(sources, new Map([["input", jsonDecoder]]), [
    delivery(
      "a",
      first,
      arrivals.map((arrival) => ({ t: 1, arrival })),
    ),
  ]);
const offsets: OffsetMap = new Map([
  [
    "input/a",
    {
      through: at(3),
      runs: [
        { first: at(7), last: at(8) },
        { first: at(10), last: at(10) },
      ],
    },
  ],
]);
const position = {
  version: 1,
  offsets,
  registers: recordRead(NO_REGISTERS, "input/a", 1_000),
  lastPassWatermark: 0,
  watermark: 0,
};

describe("records of an earlier commit", () => {
  it("are skipped up to `through` and inside runs, the others are processed", () => {
    const { consumed, outOfOrder, runsAbove } = skipConsumed(input(2, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]), position);
    // 2 and 3 are below `through`, 7, 8 and 10 in runs; 4, 5, 6 and 9 are fresh and below a run, 11 is in order.
    expect([...consumed]).toEqual([1, 1, 0, 0, 0, 1, 1, 0, 1, 0]);
    expect({ outOfOrder, runsAbove }).toEqual({ outOfOrder: 4, runsAbove: 2 });
  });

  it("of another shard are not skipped", () => {
    const { consumed } = skipConsumed(input(2, [1, 1]), { ...position, offsets: new Map() });
    expect([...consumed]).toEqual([0, 0]);
  });

  it("that arrived long after the newest one are another stream's, and stop the query", () => {
    expect(() => skipConsumed(input(2, [61_000]), position)).not.toThrow();
    expect(() => skipConsumed(input(2, [61_001]), position)).toThrow("source-recreated");
  });

  it("stop the query also where a new stream's number was never used but stands below used ones", () => {
    expect(() => skipConsumed(input(4, [61_000]), position)).not.toThrow();
    expect(() => skipConsumed(input(4, [61_001]), position)).toThrow("source-recreated");
  });
});

describe("records of a retired shard", () => {
  const retired = {
    ...position,
    offsets: new Map(),
    registers: { ...NO_REGISTERS, retired: { "input/a": 1_000 } },
  };

  it("are all skipped, whatever their numbers, and counted up to where the batch is cut", () => {
    const three = input(900, [1, 1_000, 61_000]);
    expect([...skipConsumed(three, retired).consumed]).toEqual([1, 1, 1]);
    expect([0, 2, 9].map((limit) => countAncient(three, retired, limit))).toEqual([0, 2, 3]);
    expect(countAncient(three, position, 3)).toBe(0);
  });

  it("that arrived long after its newest one are another stream's, and stop the query", () => {
    expect(() => skipConsumed(input(900, [1, 61_001]), retired)).toThrow("source-recreated");
  });
});
