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
