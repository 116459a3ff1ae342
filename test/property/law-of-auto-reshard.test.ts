import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { delivery, harness } from "../runtime/support/harness.js";
import { windowedCount } from "../runtime/support/windowed-count.js";
import { ancestors, family, listedAt, SECOND, START, shardRecords } from "./reshard-history.js";

const histories = fc.record({
  shards: shardRecords,
  moves: fc.array(
    fc.oneof(
      fc.record({
        kind: fc.constant("read" as const),
        shard: fc.nat({ max: 4 }),
        count: fc.integer({ min: 1, max: 3 }),
      }),
      fc.record({ kind: fc.constant("tick" as const), wait: fc.nat({ max: 12 }) }),
      fc.record({ kind: fc.constant("restart" as const) }),
    ),
    { maxLength: 40 },
  ),
  delay: fc.nat({ max: 30 }),
});

describe("across: auto over a split and a merge, with ticks and restarts", () => {
  it("makes no row late unless a row of its source that arrived no later is newer by more than the delay", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ shards, moves, delay }) => {
        const all = family(shards);
        const h = harness({
          physical: () => windowedCount({ sizeMs: 1, delayMs: delay * SECOND }),
          source: { kind: "memory", across: "auto" },
          withLister: true,
        });
        let query = h.query;
        const next = new Map(all.map(({ name }) => [name, 0]));
        const show = () => {
          h.lister.shards = listedAt(all, h.clock.time);
        };
        const isDone = (name: string) => next.get(name) === all.find((shard) => shard.name === name)!.records.length;
        h.clock.time = START;
        show();
        for (const move of moves) {
          if (move.kind === "restart") query = h.restart();
          else if (move.kind === "tick") {
            h.clock.time += move.wait * SECOND;
            show();
            await query.tick();
          } else {
            const shard = all[move.shard]!;
            const from = next.get(shard.name)!;
            const batch = shard.records.slice(from, from + move.count);
            // Lambda reads children after their parents.
            if (batch.length === 0 || !ancestors(all, shard).every(isDone)) continue;
            h.clock.time = Math.max(h.clock.time, batch.at(-1)!.arrival + SECOND);
            next.set(shard.name, from + batch.length);
            show();
            await query.processBatch([delivery(shard.name, from + 1, batch)]);
          }
        }
        const everything = all.flatMap((shard) => shard.records);
        for (const late of h.sink.rows("late")) {
          const { shard, sequence } = late["source"] as { shard: string; sequence: string };
          const { t, arrival } = all.find(({ name }) => name === shard)!.records[Number(sequence) - 1]!;
          const newer = everything.some((other) => other.arrival <= arrival && other.t - delay * SECOND > t);
          expect(newer, `row ${t} of ${shard} that arrived ${arrival}`).toBe(true);
        }
      }),
      { numRuns: 1_500 },
    );
  });
});
