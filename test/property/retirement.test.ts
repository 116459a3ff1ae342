import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemoryShard } from "../../lib/sources/memory-shard-lister.js";
import type { Delivery } from "../../lib/sources/source.js";
import { delivery, type Harness, harness } from "../runtime/support/harness.js";
import { windowedCount } from "../runtime/support/windowed-count.js";
import { ancestors, family, type HistoricShard, listedAt, SECOND, START, shardRecords } from "./reshard-history.js";

const RETENTION = 10 * SECOND;

const histories = fc.record({
  shards: shardRecords,
  moves: fc.array(
    fc.oneof(
      fc.record({
        kind: fc.constant("read" as const),
        shard: fc.nat({ max: 4 }),
        count: fc.integer({ min: 1, max: 6 }),
        /** A shard of which everything read comes again, in the same micro-batch. */
        again: fc.option(fc.nat({ max: 4 })),
      }),
      fc.record({ kind: fc.constant("again" as const), shard: fc.nat({ max: 4 }) }),
      fc.record({ kind: fc.constant("tick" as const), wait: fc.nat({ max: 30 }) }),
    ),
    { minLength: 10, maxLength: 40 },
  ),
  delay: fc.nat({ max: 30 }),
  across: fc.constantFrom("auto" as const, "min" as const),
  closeOnIdle: fc.constantFrom(null, 5 * SECOND),
});

const placesOf = (retired: Readonly<Record<string, number>>) =>
  Object.keys(retired).map((key) => ({ shard: key.slice(key.indexOf("/") + 1) }));

describe("retiring closed shards", () => {
  it("changes no watermark and no row, whatever is read again: a stream that never forgets a shard gives the same", async () => {
    let retired = 0;
    let ancient = 0;
    await fc.assert(
      fc.asyncProperty(histories, async ({ shards, moves, delay, across, closeOnIdle }) => {
        const all = family(shards);
        const start = (): Harness =>
          harness({
            physical: () => windowedCount({ sizeMs: 5 * SECOND, delayMs: delay * SECOND }),
            source: { kind: "memory", across },
            options: closeOnIdle === null ? {} : { closeOnIdleMs: closeOnIdle },
            withLister: true,
          });
        const [forgetful, faithful] = [start(), start()] as const;
        const next = new Map(all.map(({ name }) => [name, 0]));
        const isDone = ({ name, records }: HistoricShard) => next.get(name) === records.length;
        /** A shard that was over before the query first listed its stream was never known: its children then begin with nothing. */
        const wasListed = ({ name }: HistoricShard) => {
          const { shardList, retired: gone } = forgetful.partition.position().registers;
          return [...Object.values(shardList).flat(), ...placesOf(gone)].some(({ shard }) => shard === name);
        };
        const isForgotten = (shard: HistoricShard, now: number) =>
          wasListed(shard) &&
          shard.closed + RETENTION <= now &&
          isDone(shard) &&
          all.some(({ name, parents }) => parents.includes(shard.name) && next.get(name)! > 0);
        // A new shard at every tick makes it commit what it saw, in either world: else only one that retires would.
        const sparks: MemoryShard[] = [];
        const upTo = (now: number) => {
          const listed = listedAt(all, now);
          for (const h of [forgetful, faithful]) h.clock.time = now;
          faithful.lister.shards = [...listed, ...sparks];
          const kept = listed.filter(({ shard }) => !isForgotten(all.find(({ name }) => name === shard)!, now));
          forgetful.lister.shards = [...kept, ...sparks];
        };
        const repeated = (at: number): Delivery[] => {
          const { name, records } = all[at]!;
          return next.get(name) === 0 ? [] : [delivery(name, 1, records.slice(0, next.get(name)))];
        };
        upTo(START);
        for (const move of moves) {
          if (move.kind === "tick") {
            sparks.push({ shard: `x${sparks.length}`, parents: [], sequences: [] });
            upTo(forgetful.clock.time + move.wait * SECOND);
            await forgetful.query.tick();
            await faithful.query.tick();
          } else {
            const deliveries = move.kind === "again" || move.again === null ? [] : repeated(move.again);
            if (move.kind === "again") deliveries.push(...repeated(move.shard));
            else {
              const readable = all.filter(
                (one) =>
                  !isDone(one) && ancestors(all, one).every((name) => isDone(all.find((at) => at.name === name)!)),
              );
              const shard = readable[move.shard % readable.length];
              if (shard === undefined || shard === all[move.again ?? -1]) continue;
              const from = next.get(shard.name)!;
              const batch = shard.records.slice(from, from + move.count);
              next.set(shard.name, from + batch.length);
              upTo(Math.max(forgetful.clock.time, batch.at(-1)!.arrival + SECOND));
              deliveries.push(delivery(shard.name, from + 1, batch));
            }
            if (deliveries.length === 0) continue;
            await forgetful.query.processBatch(deliveries);
            await faithful.query.processBatch(deliveries);
          }
          const [a, b] = [forgetful.partition.position(), faithful.partition.position()];
          expect(a.watermark).toBe(b.watermark);
          expect(a.registers.perNodeWatermark).toEqual(b.registers.perNodeWatermark);
          for (const output of ["result", "late"] as const)
            expect(forgetful.sink.rows(output)).toEqual(faithful.sink.rows(output));
          const gone = Object.keys(a.registers.retired);
          expect(gone.filter((key) => a.offsets.has(key) || key in a.registers.perShard)).toEqual([]);
        }
        retired += Object.keys(forgetful.partition.position().registers.retired).length;
        ancient += forgetful.progress.reduce((sum, { ancientRecords }) => sum + ancientRecords, 0);
        expect(faithful.partition.position().registers.retired).toEqual({});
      }),
      { numRuns: 600 },
    );
    expect(retired).toBeGreaterThan(50);
    expect(ancient).toBeGreaterThan(5);
  });
});
