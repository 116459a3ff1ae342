import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { delivery, harness } from "../runtime/support/harness.js";
import { windowedCount } from "../runtime/support/windowed-count.js";

interface Arrived {
  readonly shard: string;
  readonly t: number;
  readonly arrival: number;
}

/** Shards whose records arrive over time, and the order in which batches of them are read, ticks between. */
const histories = fc.record({
  shards: fc.array(
    fc.array(fc.record({ t: fc.integer({ min: 0, max: 300 }), wait: fc.integer({ min: 0, max: 12 }) }), {
      maxLength: 15,
    }),
    { minLength: 1, maxLength: 3 },
  ),
  reads: fc.array(fc.record({ shard: fc.nat({ max: 2 }), count: fc.integer({ min: 1, max: 4 }), tick: fc.boolean() }), {
    maxLength: 40,
  }),
  delay: fc.integer({ min: 0, max: 50 }),
});

/** Wider than any arrival, so that readThrough is exercised below, at and above it. */
const SECOND = 1_000;

describe("across: auto", () => {
  it("makes no row late unless a row of its source that arrived no later is newer by more than the delay", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ shards, reads, delay }) => {
        const log = shards.map((records, at) => {
          let arrival = 1_000 * SECOND;
          return records.map(({ t, wait }): Arrived => {
            arrival += wait * SECOND;
            return { shard: `s${at}`, t: t * SECOND, arrival };
          });
        });
        const everything = log.flat();
        const h = harness({
          physical: () => windowedCount({ sizeMs: 1, delayMs: delay * SECOND }),
          source: { kind: "memory", across: "auto" },
          withLister: true,
        });
        const next = log.map(() => 0);
        h.clock.time = 1_000 * SECOND;
        const show = () => {
          h.lister.shards = log.map((records, at) => ({
            shard: `s${at}`,
            parents: [],
            sequences: records.flatMap(({ arrival }, index) => (arrival <= h.clock.time ? [String(index + 1)] : [])),
          }));
        };
        show();
        for (const { shard, count, tick } of reads) {
          const records = log[shard % log.length]!;
          const from = next[shard % log.length]!;
          const batch = records.slice(from, from + count);
          if (batch.length > 0) {
            h.clock.time = Math.max(h.clock.time, batch.at(-1)!.arrival + SECOND);
            next[shard % log.length] = from + batch.length;
            show();
            await h.query.processBatch([delivery(batch[0]!.shard, from + 1, batch)]);
          }
          if (tick) {
            h.clock.time += 7 * SECOND;
            show();
            await h.query.tick();
          }
        }
        for (const late of h.sink.rows("late")) {
          const { shard, sequence } = late["source"] as { shard: string; sequence: string };
          const { t, arrival } = log[Number(shard.slice(1))]![Number(sequence) - 1]!;
          const newer = everything.some((other) => other.arrival <= arrival && other.t - delay * SECOND > t);
          expect(newer, `row ${t} of ${shard} that arrived ${arrival}`).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
