import { describe, expect, it } from "vitest";
import type { SourceChunk } from "../../lib/planner/physical-query.js";
import { feed, type Selection } from "../../lib/runtime/feed.js";
import { CHUNK_RECORDS, decodeDeliveries } from "../../lib/runtime/micro-batch-input.js";
import type { Delivery } from "../../lib/sources/source.js";
import { recordsOf } from "../operators/batches.js";
import { delivery, jsonDecoder, type RecordSpec } from "./support/harness.js";

const source = (name: string) => ({ name, schema: { fields: [] } });
const named = (name: string, given: Delivery): Delivery => ({ ...given, source: name });
const decoders = new Map(["a", "b"].map((name) => [name, jsonDecoder]));

interface Fed {
  readonly node: number;
  readonly shard: string;
  readonly records: readonly number[];
}

const run = (
  sources: readonly string[],
  deliveries: readonly Delivery[],
  more: Partial<Selection> = {},
  mustStop: () => boolean = () => false,
) => {
  const nodes = sources.map(source);
  const input = decodeDeliveries(nodes, decoders, deliveries);
  const consumed = new Uint8Array(input.records.length);
  const selection: Selection = { input, consumed, rejected: new Map(), limit: input.records.length, ...more };
  const fed: Fed[] = [];
  const counts = feed(nodes, new Map(), selection, mustStop, (node, { batch, shard }: SourceChunk) => {
    fed.push({ node, shard, records: recordsOf(batch) as number[] });
    return batch.length;
  });
  return { counts, fed, input };
};

describe("feeding a micro-batch under a deadline (TRIALS-2 B1)", () => {
  /** Reads 10 records at `msPerRecord` each under a deadline; returns how many were read, and when the last of them was. */
  const paced = (records: number, msPerRecord: number, stopAt: number) => {
    const clock = { time: 0 };
    const nodes = [source("a")];
    const specs = Array.from({ length: records }, (_, t) => ({ t }));
    const input = decodeDeliveries(nodes, new Map([["a", jsonDecoder]]), [named("a", delivery("s", 1, specs))]);
    const selection: Selection = {
      input,
      consumed: new Uint8Array(records),
      rejected: new Map(),
      limit: records,
    };
    const read: number[] = [];
    const { limit, decoded } = feed(
      nodes,
      new Map(),
      selection,
      (aheadMs) => clock.time + aheadMs >= stopAt,
      (_node, { batch }) => {
        for (const record of recordsOf(batch)) read.push(record as number);
        clock.time += msPerRecord * batch.length;
        return batch.length;
      },
      () => clock.time,
    );
    expect(read).toEqual(Array.from({ length: limit }, (_, n) => n));
    expect(decoded).toBe(limit);
    return { limit, time: clock.time };
  };

  it("cuts within a chunk what does not fit: ten records of a second each, of which two fit", () => {
    expect(paced(10, 1_000, 2_250)).toEqual({ limit: 2, time: 2_000 });
  });

  it("never reads on where the next piece would not fit", () => {
    for (const ms of [1, 3, 20, 400]) {
      const { limit, time } = paced(2_500, ms, 5_000);
      expect(time).toBeLessThan(5_000);
      expect(limit).toBeGreaterThanOrEqual(Math.min(2_500, Math.floor((5_000 - 100) / ms) - 1));
    }
  });

  it("reads all of what is quick", () => {
    expect(paced(2_500, 0, 1)).toEqual({ limit: 2_500, time: 0 });
  });
});

describe("feeding a micro-batch", () => {
  it("goes source by source in the plan's order, shard by shard, whatever the order of the deliveries", () => {
    const { fed } = run(
      ["a", "b"],
      [named("b", delivery("s", 1, [1])), named("a", delivery("s", 1, [2])), named("a", delivery("t", 1, [3, 4]))],
    );
    expect(fed).toEqual([
      { node: 0, shard: "s", records: [0] },
      { node: 0, shard: "t", records: [1, 2] },
      { node: 1, shard: "s", records: [3] },
    ]);
  });

  it("counts each record once, though a self join reads it twice", () => {
    const specs: RecordSpec[] = [{ t: 1 }, { text: "{" }, { t: 2 }, { t: 3 }];
    const consumed = Uint8Array.of(0, 0, 0, 1);
    const { counts } = run(["a", "a"], [named("a", delivery("s", 1, specs))], {
      consumed,
      rejected: new Map([[2, "no"]]),
    });
    expect(counts).toMatchObject({ skipped: 1, decoded: 1, limit: 4 });
    expect(counts.malformed.map(({ reason, sequence }) => [reason, sequence])).toEqual([
      ["not-json", "2"],
      ["user-function", "3"],
    ]);
    expect([...counts.numInputRows]).toEqual([
      [0, 1],
      [1, 1],
    ]);
  });

  it("is cut between chunks, and both sides of a self join at the same record", () => {
    let asked = 0;
    const rows = Array.from({ length: 2 * CHUNK_RECORDS + 1 }, (_, t) => t);
    const { counts, fed } = run(["a", "a"], [named("a", delivery("s", 1, rows))], {}, () => ++asked > 1);
    expect(counts.limit).toBe(CHUNK_RECORDS);
    expect(fed.map(({ node, records }) => [node, records.length])).toEqual([
      [0, CHUNK_RECORDS],
      [1, CHUNK_RECORDS],
    ]);
  });

  it("never lets arrival go back within a shard", () => {
    const specs = [5, 3, 9].map((arrival) => ({ t: 1, arrival }));
    const { input } = run(["a"], [named("a", delivery("s", 1, specs))]);
    expect(input.arrivals).toEqual([5, 5, 9]);
  });

  it("refuses a delivery of a source that the query has not", () => {
    expect(() => run(["a"], [named("b", delivery("s", 1, [1]))])).toThrow("source-unknown");
  });
});
