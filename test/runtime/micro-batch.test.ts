import { describe, expect, it } from "vitest";
import { delivery, harness } from "./support/harness.js";
import { windowedCount } from "./support/windowed-count.js";

const MINUTE = 60_000;
const at = (text: string): number => {
  const [hours, minutes] = text.split(":").map(Number) as [number, number];
  return (hours * 60 + minutes) * MINUTE;
};
const fiveMinutes = () => windowedCount({ sizeMs: 5 * MINUTE, delayMs: 10 * MINUTE });
const batches = [[at("12:01"), at("12:07")], [at("12:16"), at("12:03")], [at("12:02")]];

describe("a micro-batch", () => {
  it.each([0, 1, 2, 3])("writes a window once and routes its late row, restarted before batch %i", async (restart) => {
    const h = harness({ physical: fiveMinutes });
    let query = h.query;
    let sequence = 1;
    for (const [index, rows] of batches.entries()) {
      if (index === restart) query = h.restart();
      await query.processBatch([delivery("s", sequence, rows)]);
      sequence += rows.length;
    }
    expect(h.sink.rows()).toEqual([{ window: { start: at("12:00"), end: at("12:05") }, count: 2 }]);
    expect(h.sink.rows("late")).toMatchObject([
      { eventTime: at("12:02"), row: { t: at("12:02") }, source: { shard: "s", sequence: "5" } },
    ]);
    expect(h.progress.map(({ batchId }) => batchId)).toEqual([1, 2, 3]);
    expect(h.progress.at(-1)!.stateOperators[0]!.numRowsDroppedByWatermark).toBe(1);
  });

  it("counts a row that is past its window by less than the delay, and routes one that is not", async () => {
    const h = harness({ physical: fiveMinutes });
    await h.query.processBatch([delivery("s", 1, [at("10:13")])]);
    await h.query.processBatch([delivery("s", 2, [at("10:02")])]);
    await h.query.processBatch([delivery("s", 3, [at("10:17")])]);
    await h.query.processBatch([delivery("s", 4, [at("10:03")])]);
    expect(h.sink.rows()).toEqual([{ window: { start: at("10:00"), end: at("10:05") }, count: 1 }]);
    expect(h.sink.rows("late")).toMatchObject([{ eventTime: at("10:03") }]);
  });

  it("skips what an earlier commit consumed, whatever the batch boundaries", async () => {
    const h = harness({ physical: fiveMinutes });
    await h.query.processBatch([delivery("s", 1, [at("12:01"), at("12:02")])]);
    await h.query.processBatch([delivery("s", 1, [at("12:01"), at("12:02"), at("12:03")])]);
    const nothing = await h.query.processBatch([delivery("s", 2, [at("12:02"), at("12:03")])]);
    await h.query.processBatch([delivery("s", 4, [at("12:30")])]);
    expect(nothing.progress).toBeNull();
    expect(h.sink.rows()[0]).toMatchObject({ count: 3 });
    expect(h.progress[1]).toMatchObject({ deliveredRecords: 3, skippedRecords: 2, decodedRecords: 1 });
  });

  it("sends a record that is no row to the malformed output and goes on", async () => {
    const h = harness({ physical: fiveMinutes });
    const { unprocessed } = await h.query.processBatch([
      delivery("s", 1, [{ t: at("12:01") }, { text: "{oops" }, { t: at("12:30") }]),
    ]);
    expect(unprocessed).toEqual([]);
    expect(h.sink.rows("malformed")).toMatchObject([{ reason: "not-json", source: { sequence: "2" } }]);
    expect(h.sink.rows()).toMatchObject([{ count: 1 }]);
    expect(h.progress[0]).toMatchObject({ deliveredRecords: 3, malformedRows: 1, decodedRecords: 2 });
  });

  it("applies the winner's entry and repeats after a lost race", async () => {
    const h = harness({ physical: fiveMinutes });
    h.partition.loseNext = [() => {}, () => {}];
    await h.query.processBatch([delivery("s", 1, [at("12:01"), at("12:30")])]);
    expect(h.progress[0]).toMatchObject({ conflicts: 2, batchId: 1 });
    expect(h.sink.rows()).toMatchObject([{ count: 1 }]);
  });

  it("fails after five repeats and leaves nothing published", async () => {
    const h = harness({ physical: fiveMinutes });
    h.partition.loseNext = Array.from({ length: 6 }, () => () => {});
    await expect(h.query.processBatch([delivery("s", 1, [at("12:01")])])).rejects.toThrow("commit-contended");
    expect(h.partition.published).toEqual([]);
  });

  it("is cut between chunks when the time reserve is reached, and commits the prefix", async () => {
    let seen = 0;
    const h = harness({
      physical: () =>
        windowedCount({
          sizeMs: MINUTE,
          delayMs: 0,
          visit: () => {
            seen++;
            if (seen === 1_500) h.clock.time += 10_000;
          },
        }),
    });
    const rows = Array.from({ length: 3_500 }, () => at("12:01"));
    const deadline = { at: h.clock.time + 12_000, reserveMs: 3_000 };
    const { unprocessed, progress } = await h.query.processBatch([delivery("s", 1, rows)], deadline);
    expect(unprocessed).toEqual([{ source: "input", shard: "s", sequence: "2001", sub: 0 }]);
    expect(progress).toMatchObject({ deliveredRecords: 2_000, numInputRows: 2_000 });
    await h.query.processBatch([delivery("s", 2_001, rows.slice(2_000))]);
    await h.query.processBatch([delivery("s", 3_501, [at("12:30")])]);
    expect(h.sink.rows()).toMatchObject([{ count: 3_500 }]);
  });

  it("throws when not one chunk fits", async () => {
    const h = harness({ physical: fiveMinutes });
    const deadline = { at: h.clock.time + 1_000, reserveMs: 2_000 };
    await expect(h.query.processBatch([delivery("s", 1, [1])], deadline)).rejects.toThrow("time-reserve-reached");
    expect(h.partition.commits).toEqual([]);
  });
});

describe("a user function that throws", () => {
  const throwing = (bad: number) => () =>
    windowedCount({
      sizeMs: MINUTE,
      delayMs: 0,
      visit: ({ t }) => {
        if (t === bad) throw new Error("no such page");
      },
    });

  it("stops at its record: those before it are committed, it is reported", async () => {
    const h = harness({ physical: throwing(4) });
    const outcome = await h.query.processBatch([delivery("s", 1, [1, 2, 3, 4, 5, 6])]);
    expect(outcome.unprocessed).toMatchObject([{ sequence: "4" }]);
    expect(outcome.failure).toMatchObject({ message: "no such page" });
    expect(outcome.progress).toMatchObject({ deliveredRecords: 3, decodedRecords: 3 });
    const again = await h.query.processBatch([delivery("s", 4, [4, 5, 6])]);
    expect(again.unprocessed).toMatchObject([{ sequence: "4" }]);
    expect(again.progress).toBeNull();
    expect(h.partition.commits).toHaveLength(1);
  });

  it("sends its record to the malformed output where the query says so", async () => {
    const h = harness({ physical: throwing(4), options: { onError: "malformed" } });
    const { unprocessed } = await h.query.processBatch([delivery("s", 1, [1, 4, 3, 4, 2 * MINUTE])]);
    expect(unprocessed).toEqual([]);
    expect(h.sink.rows()).toMatchObject([{ count: 2 }]);
    expect(h.sink.rows("malformed")).toMatchObject([
      { reason: "user-function", detail: "no such page", source: { sequence: "2" } },
      { reason: "user-function", source: { sequence: "4" } },
    ]);
  });
});

describe("the books", () => {
  it("stop a batch that lost a row in an operator", async () => {
    const physical = () => windowedCount({ sizeMs: MINUTE, delayMs: 0, loses: ({ t }) => t === 7 });
    const h = harness({ physical });
    await expect(h.query.processBatch([delivery("s", 1, [6, 7, 8])])).rejects.toThrow("accounting-rows");
    expect(h.partition.commits).toEqual([]);
  });

  it("stop a batch that lost a record at decoding", async () => {
    const decoder = (() => ({})) as never;
    const h = harness({ physical: fiveMinutes, decoder });
    await expect(h.query.processBatch([delivery("s", 1, [6])])).rejects.toThrow("accounting-records");
  });
});
